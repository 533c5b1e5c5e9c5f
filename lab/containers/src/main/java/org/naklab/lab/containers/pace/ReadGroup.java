package org.naklab.lab.containers.pace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.disk.Disk;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * A control group of the lab's own in which reads of one disk become slow, without containers. It has no limit until the processes have settled: a JVM that starts reads a
 * thousand times and more where its files are not in memory.
 */
public final class ReadGroup implements DeploymentEnvironment {
    private final ControlGroup group;
    private final Disk disk;
    private final long readsPerSecond;

    /**
     * Describes a group that does not exist yet.
     *
     * @param name of the group, unique on the machine
     * @param directory a directory on the disk whose reads become slow
     * @param readsPerSecond that all processes of the group may make together
     * @throws LabException if there is an {@link #obstacle}
     */
    public ReadGroup(String name, Path directory, long readsPerSecond) {
        obstacle(directory).ifPresent(reason -> {
            throw new LabException(reason);
        });
        CgroupPaths parent = parent().orElseThrow();
        group = new ControlGroup(parent, List.of(CgroupPaths.READS), name);
        disk = Disk.of(directory).orElseThrow();
        this.readsPerSecond = readsPerSecond;
    }

    /**
     * Returns why reads cannot be made slow here; empty if they can.
     *
     * @param directory whose disk is asked about
     */
    public static Optional<String> obstacle(Path directory) {
        Optional<CgroupPaths> parent = parent();
        if (parent.isEmpty()) {
            return Optional.of(
                    "no control groups that limit reads are visible: mount the controller blkio (version 1) or io (version 2)");
        }
        if (!Files.isWritable(parent.get().directory())) {
            return Optional.of("only root can create a control group: sudo");
        }
        return Disk.of(directory).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the file system of " + directory
                                + " has no block device of its own, whose reads could be limited: use --runs with a directory on a disk");
    }

    /** Returns the group in which a group that limits reads can be created; empty if there is none. */
    static Optional<CgroupPaths> parent() {
        return ControlGroup.parent(CgroupPaths.READS);
    }

    /**
     * Makes reads of a disk slow in a group that exists.
     *
     * @throws LabException if the kernel refuses
     */
    static void slow(ControlGroup group, Disk disk, long readsPerSecond) {
        CgroupPaths.DiskUse reads = CgroupPaths.DiskUse.READS;
        group.write(reads.limit(), group.group().limitLine(reads, disk.numbers(), String.valueOf(readsPerSecond)));
    }

    /** Returns the directory of the group, for processes to join. */
    public Path directory() {
        return group.directory();
    }

    @Override
    public void prepare() {
        group.create();
    }

    @Override
    public void onSettled() {
        slow(group, disk, readsPerSecond);
    }

    @Override
    public void close() {
        group.close();
    }
}
