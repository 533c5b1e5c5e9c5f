package org.naklab.lab.containers.pace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.disk.Disk;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * Control groups of the lab's own, without containers, in which memory has a limit from the beginning and reads of one disk become slow while traffic flows. Version 1 keeps
 * memory and reads in two hierarchies, so that a process joins a group in each; version 2 has one group for both.
 */
public final class SqueezedGroup implements DeploymentEnvironment {

    private final ControlGroup memory;
    private final ControlGroup reads;
    private final @Nullable OwnLibraries libraries;
    private final Site site;
    private final Limits limits;
    private @Nullable HostReadAhead readAhead;
    private @Nullable CompletableFuture<Void> slowed;

    /**
     * Tells what the processes of the groups may use.
     *
     * @param memoryBytes of all of them together, without swap
     * @param readsPerSecond of all of them together
     * @param slowAfterNs reads become slow so long after the flow has begun
     */
    public record Limits(long memoryBytes, long readsPerSecond, long slowAfterNs) {}

    /**
     * Tells where the groups are made.
     *
     * @param memory the group below which memory can be limited
     * @param reads the group below which reads can be; the same one under version 2
     * @param readAheadFile of the disk
     */
    record Site(CgroupPaths memory, CgroupPaths reads, Disk disk, Path readAheadFile) {
        private static Site of(Path directory) {
            obstacle(directory).ifPresent(reason -> {
                throw new LabException(reason);
            });
            Disk disk = Disk.of(directory).orElseThrow();
            return new Site(
                    ControlGroup.parent(CgroupPaths.MEMORY).orElseThrow(),
                    ReadGroup.parent().orElseThrow(),
                    disk,
                    disk.readAheadFile());
        }
    }

    /**
     * Describes groups that do not exist yet.
     *
     * @param name of the groups, unique on the machine
     * @param directory a directory on the disk whose reads become slow
     * @param libraries copied when the groups exist, so that their memory is charged to them; {@code null}: none are
     * @throws LabException if there is an {@link #obstacle}
     */
    public SqueezedGroup(String name, Path directory, @Nullable OwnLibraries libraries, Limits limits) {
        this(name, Site.of(directory), libraries, limits);
    }

    SqueezedGroup(String name, Site site, @Nullable OwnLibraries libraries, Limits limits) {
        boolean isOne = site.memory().equals(site.reads());
        memory = new ControlGroup(
                site.memory(),
                isOne ? List.of(CgroupPaths.MEMORY, CgroupPaths.READS) : List.of(CgroupPaths.MEMORY),
                name);
        reads = isOne ? memory : new ControlGroup(site.reads(), List.of(CgroupPaths.READS), name);
        this.site = site;
        this.libraries = libraries;
        this.limits = limits;
    }

    /**
     * Returns why memory cannot be limited, reads cannot be made slow, or the disk's read-ahead cannot be lowered, here; empty if they can.
     *
     * @param directory whose disk is asked about
     */
    public static Optional<String> obstacle(Path directory) {
        Optional<CgroupPaths> parent = ControlGroup.parent(CgroupPaths.MEMORY);
        if (parent.isEmpty()) {
            return Optional.of("no memory controller of control groups is visible: mount one of version 1 or 2");
        }
        if (!Files.isWritable(parent.get().directory())) {
            return Optional.of("only root can create a control group: sudo");
        }
        return ReadGroup.obstacle(directory)
                .or(() -> Disk.of(directory).flatMap(disk -> HostReadAhead.obstacle(disk.readAheadFile())));
    }

    /** Returns the directories of the groups, for processes to join all of them. */
    public List<Path> directories() {
        return groups().stream().map(ControlGroup::directory).toList();
    }

    private List<ControlGroup> groups() {
        return site.memory().equals(site.reads()) ? List.of(memory) : List.of(memory, reads);
    }

    @Override
    public void prepare() {
        readAhead = HostReadAhead.lowered(site.readAheadFile());
        groups().forEach(ControlGroup::create);
        memory.write(CgroupPaths.Entry.MEMORY_LIMIT, String.valueOf(limits.memoryBytes()));
        if (Files.exists(memory.group().file(CgroupPaths.Entry.SWAP))) {
            memory.write(CgroupPaths.Entry.SWAP, "0");
        }
        if (libraries != null) {
            libraries.copy(directories());
        }
    }

    @Override
    public void onFlowStarted() {
        Executor later = CompletableFuture.delayedExecutor(limits.slowAfterNs(), TimeUnit.NANOSECONDS);
        slowed = CompletableFuture.runAsync(() -> ReadGroup.slow(reads, site.disk(), limits.readsPerSecond()), later);
    }

    /** Returns what ends when reads have become slow. */
    CompletableFuture<Void> slowed() {
        return Objects.requireNonNull(slowed, "the flow has not begun");
    }

    /** Fails also when the limit could not be set; a run that was broken off before it came has none. */
    @Override
    public void collect() {
        CompletableFuture<Void> set = slowed;
        if (set != null && set.isDone()) {
            try {
                set.join();
            } catch (CompletionException e) {
                throw new LabException("reads were not made slow: " + e.getCause(), e);
            }
        }
    }

    /** Removes the groups; their processes have ended. */
    @Override
    public void close() {
        CompletableFuture<Void> set = slowed;
        if (set != null) {
            set.cancel(false);
        }
        HostReadAhead lowered = readAhead;
        try {
            memory.close();
        } finally {
            try {
                reads.close();
            } finally {
                if (lowered != null) {
                    lowered.close();
                }
            }
        }
    }
}
