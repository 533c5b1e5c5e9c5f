package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Finds control groups, and reads and writes their files. It alone knows how version 1 and version 2 differ.
 *
 * @param directory of the group
 * @param version 1 or 2
 */
public record CgroupPaths(Path directory, int version) {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    /** Limits from this value on mean no limit: version 1 reports the largest number of pages. */
    private static final long NO_LIMIT = 1L << 60;

    private static final String OF_ALL_BELOW = "total_";

    /** A file that has another name in each version. */
    public enum Entry {
        MEMORY_USED("memory.usage_in_bytes", "memory.current"),
        MEMORY_LIMIT("memory.limit_in_bytes", "memory.max"),
        /** 0 in it keeps memory from being swapped out. */
        SWAP("memory.swappiness", "memory.swap.max"),
        FREEZER("freezer.state", "cgroup.events"),
        READ_LIMIT("blkio.throttle.read_iops_device", "io.max");

        private final String first;
        private final String second;

        Entry(String first, String second) {
            this.first = first;
            this.second = second;
        }
    }

    /**
     * Finds the memory group of a process: in the hierarchy of version 2 if it has a memory controller there, otherwise in that of version 1.
     *
     * @return empty if there is no such controller, or it is not visible
     */
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
                .filter(paths -> Files.isReadable(paths.file(Entry.MEMORY_USED)));
        return second.isPresent()
                ? second
                : locate(memberships, "memory", mounts, "cgroup", "memory")
                        .map(directory -> new CgroupPaths(directory, 1))
                        .filter(paths -> Files.isReadable(paths.file(Entry.MEMORY_USED)));
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

    /** Returns the path of a file of the group. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Returns the path of a file of the group. */
    public Path file(Entry entry) {
        return file(version == 2 ? entry.second : entry.first);
    }

    /** Lists this group and those above it, as far as they have a file that can be read. */
    public List<CgroupPaths> withThoseAbove(String file) {
        List<CgroupPaths> groups = new ArrayList<>();
        for (Path each = directory; each != null && Files.isReadable(each.resolve(file)); each = each.getParent()) {
            groups.add(new CgroupPaths(each, version));
        }
        return groups;
    }

    /** Returns the limit of memory, bytes; empty if there is none. @throws DetectException it cannot be read */
    public OptionalLong memoryLimitBytes() {
        String limit = text(file(Entry.MEMORY_LIMIT)).strip();
        return limit.equals("max") || Long.parseLong(limit) >= NO_LIMIT
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(limit));
    }

    /** Returns the memory in use, page cache included, bytes. @throws DetectException it cannot be read */
    public long memoryUsedBytes() {
        return Long.parseLong(text(file(Entry.MEMORY_USED)).strip());
    }

    /** Returns the pages of files in memory, those in memory-only file systems not included, bytes. @throws DetectException it cannot be read */
    public long pageCacheBytes() {
        Map<String, Long> statistics = memoryStatistics();
        return statistics.getOrDefault("active_file", 0L) + statistics.getOrDefault("inactive_file", 0L);
    }

    /** Returns how a line of memory.stat begins that counts groups below as well. */
    public String memoryStatistic(String key) {
        return (version == 2 ? "" : OF_ALL_BELOW) + key + ' ';
    }

    /** Reads memory.stat, with the groups below, by the keys of version 2. @throws DetectException it cannot be read */
    public Map<String, Long> memoryStatistics() {
        Map<String, Long> own = keyed(file("memory.stat"));
        Map<String, Long> all = new HashMap<>(own);
        own.forEach((key, value) -> {
            if (key.startsWith(OF_ALL_BELOW)) {
                all.put(key.substring(OF_ALL_BELOW.length()), value);
            }
        });
        return all;
    }

    /**
     * Reads how often the group was at its memory limit. Under version 1, a limit with as much swap as without is met at the counter of both, and never at that of memory,
     * and not every kernel counts.
     *
     * @throws DetectException it cannot be read
     */
    public long memoryLimitHits() {
        return version == 2
                ? keyed(file("memory.events")).getOrDefault("max", 0L)
                : limitCounters().stream()
                        .mapToLong(file -> Long.parseLong(text(file).strip()))
                        .sum();
    }

    /** Lists the files of version 1 that count hits of limits. */
    public List<Path> limitCounters() {
        return Stream.of("memory.failcnt", "memory.memsw.failcnt")
                .map(this::file)
                .filter(Files::isReadable)
                .toList();
    }

    /** Returns whether the group, or one above it, is frozen or about to freeze; the root of a hierarchy has no freezer. @throws DetectException the group is gone */
    public boolean isFrozen() {
        Path file = file(Entry.FREEZER);
        return Files.isReadable(file)
                && (version == 2
                        ? keyed(file).getOrDefault("frozen", 0L) == 1
                        : text(file).lines().anyMatch(line -> line.startsWith("FR")));
    }

    /** Returns the processors' worth of time that the group may use; empty: it has no limit. @throws DetectException it cannot be read */
    public OptionalDouble processorQuota() {
        Stream<String> files = version == 2 ? Stream.of("cpu.max") : Stream.of("cpu.cfs_quota_us", "cpu.cfs_period_us");
        String[] words = files.map(this::file)
                .filter(Files::exists)
                .map(file -> text(file).strip())
                .collect(Collectors.joining(" "))
                .split(" ", -1);
        return words.length == 2 && words[0].matches("\\d+")
                ? OptionalDouble.of(Double.parseDouble(words[0]) / Double.parseDouble(words[1]))
                : OptionalDouble.empty();
    }

    /** Returns the line of {@link Entry#READ_LIMIT} that limits the reads of a disk. */
    public String readLimit(String disk, long readsPerSecond) {
        return disk + (version == 2 ? " riops=" : " ") + readsPerSecond;
    }

    /** Reads the limit of the reads of a disk; empty: there is none, or the group is gone. */
    public Optional<Long> readsPerSecond(String disk) {
        try (Stream<String> lines = Files.lines(file(Entry.READ_LIMIT))) {
            String start = disk + ' ';
            String key = version == 2 ? "riops=" : "";
            return lines.filter(line -> line.startsWith(start))
                    .flatMap(line ->
                            Stream.of(line.substring(start.length()).strip().split(" +", -1)))
                    .filter(word -> word.startsWith(key) && word.length() > key.length())
                    .map(word -> word.substring(key.length()))
                    .filter(word -> !word.equals("max"))
                    .map(Long::valueOf)
                    .findFirst();
        } catch (IOException | UncheckedIOException noSuchController) {
            // The topmost group has no limit, and one whose processes have ended may be gone.
            return Optional.empty();
        }
    }

    private static Map<String, Long> keyed(Path file) {
        Map<String, Long> values = new HashMap<>();
        text(file)
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(words -> values.put(words[0], Long.parseLong(words[1])));
        return values;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new DetectException("cannot read " + file + ": " + e.getMessage(), e);
        }
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
