package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Locates the files of a process's memory control group: in the hierarchy of version 2 if it has a memory controller there,
 * otherwise in that of version 1.
 *
 * @param directory of the group
 * @param version 1 or 2
 */
public record CgroupPaths(Path directory, int version) {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    /** Returns the files of a process's group; empty if there is no such controller, or it is not visible. */
    public static Optional<CgroupPaths> ofProcess(long pid) {
        Path membership = Path.of("/proc", Long.toString(pid), "cgroup");
        try {
            return find(Files.readAllLines(membership), Files.readAllLines(MOUNTS));
        } catch (IOException e) {
            throw new DetectException("cannot read " + membership + ": " + e.getMessage(), e);
        }
    }

    /** Lines of {@code /proc/PID/cgroup} are {@code id:controllers:path}; of the mounts, {@code device directory type options}. */
    public static Optional<CgroupPaths> find(List<String> memberships, List<String> mounts) {
        Optional<CgroupPaths> second = locate(memberships, "", mounts, "cgroup2", "")
                .map(directory -> new CgroupPaths(directory, 2))
                .filter(paths -> Files.isReadable(paths.file("memory.current")));
        return second.isPresent()
                ? second
                : locate(memberships, "memory", mounts, "cgroup", "memory")
                        .map(directory -> new CgroupPaths(directory, 1))
                        .filter(paths -> Files.isReadable(paths.file("memory.usage_in_bytes")));
    }

    /**
     * Finds the groups of a process, both of version 2 and of version 1: on a machine with both, a controller is in one of them, and a
     * freezer in both.
     */
    public static List<CgroupPaths> ofController(long pid, String controller) {
        Path membership = Path.of("/proc", Long.toString(pid), "cgroup");
        try {
            List<String> memberships = Files.readAllLines(membership);
            List<String> mounts = Files.readAllLines(MOUNTS);
            return Stream.of(
                            locate(memberships, "", mounts, "cgroup2", "")
                                    .map(directory -> new CgroupPaths(directory, 2)),
                            locate(memberships, controller, mounts, "cgroup", controller)
                                    .map(directory -> new CgroupPaths(directory, 1)))
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            throw new DetectException("cannot read " + membership + ": " + e.getMessage(), e);
        }
    }

    /**
     * Finds the group below which to create one for a controller: under version 1 that of this process; under version 2 the one above, because a group with processes
     * cannot share its resources out to others. Only the topmost group of version 2 has no type.
     */
    public static Optional<CgroupPaths> parentOfOwn(String controller) {
        for (CgroupPaths own : ofController(ProcessHandle.current().pid(), controller)) {
            if (own.version() == 1) {
                return Optional.of(own);
            }
            if (hasController(own, controller)) {
                Path above = own.directory().getParent();
                boolean isTopmost = !Files.exists(own.file("cgroup.type"));
                return Optional.of(isTopmost || above == null ? own : new CgroupPaths(above, 2));
            }
        }
        return Optional.empty();
    }

    private static boolean hasController(CgroupPaths group, String controller) {
        try {
            return List.of(Files.readString(group.file("cgroup.controllers"))
                            .strip()
                            .split(" ", -1))
                    .contains(controller);
        } catch (IOException e) {
            // A directory without the file is no group of version 2 that this process may read.
            return false;
        }
    }

    /**
     * Lets this process join a group: all of its threads, and what they do from now on.
     *
     * @throws LabException if the kernel refuses
     */
    public static void join(Path directory) {
        try {
            Files.writeString(
                    directory.resolve("cgroup.procs"),
                    String.valueOf(ProcessHandle.current().pid()));
        } catch (IOException e) {
            throw new LabException("cannot join the control group " + directory, e);
        }
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    private static Optional<Path> locate(
            List<String> memberships, String controller, List<String> mounts, String type, String option) {
        Optional<Path> mount = mounts.stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[2].equals(type))
                .filter(words ->
                        option.isEmpty() || List.of(words[3].split(",", -1)).contains(option))
                .map(words -> Path.of(words[1]))
                .findFirst();
        Optional<String> path = memberships.stream()
                .map(line -> line.split(":", 3))
                .filter(words -> List.of(words[1].split(",", -1)).contains(controller))
                .map(words -> words[2])
                .findFirst();
        return mount.flatMap(root -> path.map(below -> existing(root, below)));
    }

    /** Returns the group's directory; in a container, the path may be the host's, and the files are at the mount itself. */
    private static Path existing(Path root, String below) {
        Path directory = root.resolve(below.substring(1));
        return Files.isDirectory(directory) ? directory : root;
    }
}
