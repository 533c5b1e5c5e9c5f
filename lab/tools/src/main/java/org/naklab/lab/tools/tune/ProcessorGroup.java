package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * Control groups of the lab's own, version 1 or 2, that one process joins before it begins: they limit its processors and its memory as an engine limits a container's. A
 * guard removes them if this process is killed.
 */
final class ProcessorGroup implements AutoCloseable {
    private static final String JOIN = CgroupPaths.JOIN + " && shift && exec \"$@\"";
    private static final AtomicInteger CREATED = new AtomicInteger();

    private final Guard guard = new Guard();
    private final List<Path> directories = new ArrayList<>();

    private ProcessorGroup() {}

    /**
     * Creates the groups that the settings need; none for none.
     *
     * @throws LabException they cannot be created
     */
    static ProcessorGroup create(List<Setting.Grouped> settings) {
        ProcessorGroup group = new ProcessorGroup();
        try {
            for (Setting.Grouped setting : settings) {
                if (setting instanceof Setting.ProcessorQuota quota) {
                    group.make(CgroupPaths.CPU).limitProcessors(quota.processors());
                } else if (setting instanceof Setting.ProcessorSet set) {
                    group.make(CgroupPaths.CPUSET).setProcessors(set.list());
                } else if (setting instanceof Setting.MemoryLimit limit) {
                    group.make(CgroupPaths.MEMORY).limitMemory(limit.mebibytes() << 20);
                }
            }
            return group;
        } catch (IOException e) {
            group.close();
            throw new LabException("the control group of the arm cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Returns why no group can be created here for a controller; empty: one can. */
    static String obstacle(String controller) {
        return CgroupPaths.parentOfOwn(controller)
                .map(parent ->
                        Files.isWritable(parent.directory()) ? "" : "only root can create a control group: run as root")
                .orElse("the controller " + controller + " of control groups is not available");
    }

    /** Returns the beginning of a command that runs in the groups. */
    List<String> joining() {
        List<String> command = new ArrayList<>();
        directories.forEach(directory -> command.addAll(List.of("sh", "-c", JOIN, "sh", directory.toString())));
        return command;
    }

    private CgroupPaths make(String controller) throws IOException {
        CgroupPaths parent = CgroupPaths.parentOfOwn(controller)
                .orElseThrow(
                        () -> new LabException("the controller " + controller + " of control groups is not available"));
        String name = "naklab-tune-" + ProcessHandle.current().pid() + "-" + CREATED.incrementAndGet();
        CgroupPaths made = parent.child(name);
        Guard.Promise unused = guard.toRun("remove the control group " + made.directory(), made.removal());
        made.create(List.of(controller));
        directories.add(made.directory());
        return made;
    }

    /** Removes the groups; their process has ended. */
    @Override
    public void close() {
        guard.close();
        directories.stream().filter(Files::exists).findFirst().ifPresent(left -> {
            throw new LabException("the control group " + left + " could not be removed: a process is in it still");
        });
    }
}
