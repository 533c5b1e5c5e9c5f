package org.naklab.lab.instruments.kernel.counters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * Finds the cgroup that froze a process. The kernel's record has the inode of a group of version 2; the group of version 1 is the process's own
 * one, because nothing says which of the groups above it was frozen.
 */
public final class FrozenGroup {
    private FrozenGroup() {}

    /**
     * Returns the directory of the group; empty if the process is gone or has moved.
     *
     * @param pid a frozen process
     * @param cgroupId inode of the group of version 2 that was frozen; 0: a group of version 1
     */
    public static String of(int pid, long cgroupId) {
        try {
            return find(CgroupPaths.ofController(pid, CgroupPaths.FREEZER), cgroupId)
                    .map(Path::toString)
                    .orElse("");
        } catch (DetectException gone) {
            return "";
        }
    }

    private static Optional<Path> find(List<CgroupPaths> own, long inode) {
        int version = inode == 0 ? 1 : 2;
        Optional<Path> group = own.stream()
                .filter(paths -> paths.version() == version)
                .map(CgroupPaths::directory)
                .findFirst();
        while (inode != 0 && group.isPresent() && inodeOf(group.get()) != inode) {
            group = group.map(Path::getParent);
        }
        return group;
    }

    private static long inodeOf(Path directory) {
        try {
            return Objects.requireNonNull((Long) Files.getAttribute(directory, "unix:ino"));
        } catch (IOException gone) {
            return 0;
        }
    }
}
