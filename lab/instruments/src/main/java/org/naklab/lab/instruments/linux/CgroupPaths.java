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
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Finds control groups, and reads and writes their files. It alone knows how version 1 and version 2 differ.
 *
 * @param directory of the group
 * @param version 1 or 2
 */
public record CgroupPaths(Path directory, int version) {
    public static final String CPU = "cpu";

    public static final String CPUSET = "cpuset";

    public static final String FREEZER = "freezer";

    public static final String MEMORY = "memory";

    /** Names the controller of reads and writes; version 2 has another name for it. */
    public static final String READS = "blkio";

    /** Lets a shell join the group whose directory is its first argument. */
    public static final String JOIN = "echo $$ >\"$1/" + Entry.PROCESSES.second + '"';

    /** Limits of memory from this value on mean no limit: version 1 reports the largest number of pages, version 2 a word. */
    public static final long NO_LIMIT = 1L << 60;

    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final String OF_ALL_BELOW = "total_";
    private static final String REMOVE = "[ ! -d \"$1\" ] || rmdir \"$1\"";
    private static final int PERIOD_US = 100_000;
    private static final int SMALL_BYTES = 512;

    /** Names a file of a group; many have another name in each version. */
    public enum Entry {
        MEMORY_USED("memory.usage_in_bytes", "memory.current"),
        MEMORY_HIGHEST("memory.max_usage_in_bytes", "memory.peak"),
        MEMORY_LIMIT("memory.limit_in_bytes", "memory.max"),
        MEMORY_LIMIT_HITS("memory.failcnt", "memory.events"),
        MEMORY_AND_SWAP_LIMIT_HITS("memory.memsw.failcnt", "memory.events"),
        MEMORY_STATISTICS("memory.stat"),
        MEMORY_PRESSURE("memory.pressure"),
        /** 0 in it keeps memory from being swapped out. */
        SWAP("memory.swappiness", "memory.swap.max"),
        FREEZER("freezer.state", "cgroup.events"),
        PROCESSES("cgroup.procs"),
        /** Only a group of version 2 has it. */
        CONTROLLERS("cgroup.controllers"),
        CPU_STATISTICS("cpu.stat"),
        READ_LIMIT("blkio.throttle.read_iops_device", "io.max"),
        WRITE_LIMIT("blkio.throttle.write_iops_device", "io.max"),
        BYTES_READ_LIMIT("blkio.throttle.read_bps_device", "io.max"),
        BYTES_WRITTEN_LIMIT("blkio.throttle.write_bps_device", "io.max"),
        DISK_OPERATIONS("blkio.throttle.io_serviced", "io.stat"),
        DISK_BYTES("blkio.throttle.io_service_bytes", "io.stat");

        private final String first;
        private final String second;

        Entry(String both) {
            this(both, both);
        }

        Entry(String first, String second) {
            this.first = first;
            this.second = second;
        }

        private String nameIn(int version) {
            return version == 2 ? second : first;
        }
    }

    /** Tells what a group does at a disk; the kernel limits and counts it. */
    public enum DiskUse {
        READS(Entry.READ_LIMIT, "riops=", Entry.DISK_OPERATIONS, "Read", "rios"),
        WRITES(Entry.WRITE_LIMIT, "wiops=", Entry.DISK_OPERATIONS, "Write", "wios"),
        BYTES_READ(Entry.BYTES_READ_LIMIT, "rbps=", Entry.DISK_BYTES, "Read", "rbytes"),
        BYTES_WRITTEN(Entry.BYTES_WRITTEN_LIMIT, "wbps=", Entry.DISK_BYTES, "Write", "wbytes");

        private final Entry limit;
        private final String secondLimit;
        private final Entry count;
        private final String firstCount;
        private final String secondCount;

        DiskUse(Entry limit, String secondLimit, Entry count, String firstCount, String secondCount) {
            this.limit = limit;
            this.secondLimit = secondLimit;
            this.count = count;
            this.firstCount = firstCount;
            this.secondCount = secondCount;
        }

        /** Returns the file of the limits, a line for each disk. */
        public Entry limit() {
            return limit;
        }

        /** Returns the file of the counts. */
        public Entry count() {
            return count;
        }
    }

    /**
     * Finds the memory group of a process: in the hierarchy of version 2 if it has a memory controller there, otherwise in that of version 1.
     *
     * @return empty if there is no such controller, or it is not visible
     */
    public static Optional<CgroupPaths> ofProcess(long pid) {
        return inFilesOf(pid, CgroupPaths::find);
    }

    /** Lines of {@code /proc/PID/cgroup} are {@code id:controllers:path}; of the mounts, {@code device directory type options}. */
    public static Optional<CgroupPaths> find(List<String> memberships, List<String> mounts) {
        Optional<CgroupPaths> second = locate(memberships, "", mounts, "cgroup2", "")
                .map(directory -> new CgroupPaths(directory, 2))
                .filter(paths -> Files.isReadable(paths.file(Entry.MEMORY_USED)));
        return second.isPresent()
                ? second
                : locate(memberships, MEMORY, mounts, "cgroup", MEMORY)
                        .map(directory -> new CgroupPaths(directory, 1))
                        .filter(paths -> Files.isReadable(paths.file(Entry.MEMORY_USED)));
    }

    /**
     * Finds the groups of a process, both of version 2 and of version 1: on a machine with both, a controller is in one of them, and a
     * freezer in both.
     */
    public static List<CgroupPaths> ofController(long pid, String controller) {
        return inFilesOf(pid, (memberships, mounts) -> Stream.of(
                        locate(memberships, "", mounts, "cgroup2", "").map(directory -> new CgroupPaths(directory, 2)),
                        locate(memberships, controller, mounts, "cgroup", controller)
                                .map(directory -> new CgroupPaths(directory, 1)))
                .flatMap(Optional::stream)
                .toList());
    }

    private static <T> T inFilesOf(long pid, BiFunction<List<String>, List<String>, T> search) {
        Path membership = ProcPaths.of(pid, "cgroup");
        try {
            return search.apply(Files.readAllLines(membership), Files.readAllLines(MOUNTS));
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
            if (own.hasController(controller)) {
                Path above = own.directory().getParent();
                boolean isTopmost = !Files.exists(own.file("cgroup.type"));
                return Optional.of(isTopmost || above == null ? own : new CgroupPaths(above, 2));
            }
        }
        return Optional.empty();
    }

    /** Returns the groups of both versions at the usual place of the mounts, as a container sees its own; those of a version that is not mounted do not exist. */
    public static List<CgroupPaths> topmost(String controller) {
        return List.of(new CgroupPaths(MOUNT, 2), new CgroupPaths(MOUNT.resolve(controller), 1));
    }

    /** Returns the version of the control groups that are mounted at the usual place; 0: there are none. */
    public static int versionOfMachine() {
        return new CgroupPaths(MOUNT, 2).hasControllers() ? 2 : Files.isDirectory(MOUNT.resolve(MEMORY)) ? 1 : 0;
    }

    private boolean hasControllers() {
        return Files.exists(file(Entry.CONTROLLERS));
    }

    private boolean hasController(String controller) {
        try {
            return List.of(Files.readString(file(Entry.CONTROLLERS)).strip().split(" ", -1))
                    .contains(nameOf(controller));
        } catch (IOException e) {
            // A directory without the file is no group of version 2 that this process may read.
            return false;
        }
    }

    /** Lets this process join a group: all of its threads, and what they do from now on. @throws LabException if the kernel refuses */
    public static void join(Path directory) {
        try {
            Files.writeString(
                    directory.resolve(Entry.PROCESSES.second),
                    String.valueOf(ProcessHandle.current().pid()));
        } catch (IOException e) {
            throw new LabException("cannot join the control group " + directory, e);
        }
    }

    private String nameOf(String controller) {
        return version == 2 && controller.equals(READS) ? "io" : controller;
    }

    /** Returns the group of that name in this one, which may not exist yet. */
    public CgroupPaths child(String name) {
        return new CgroupPaths(file(name), version);
    }

    /** Creates the group with the controllers that it needs. @throws IOException the kernel refuses */
    public void create(List<String> controllers) throws IOException {
        if (version == 2) {
            Files.writeString(
                    directory.resolveSibling("cgroup.subtree_control"),
                    controllers.stream().map(each -> "+" + nameOf(each)).collect(Collectors.joining(" ")));
        }
        Files.createDirectory(directory);
    }

    /** Returns the command that removes the group if it exists; its processes have ended. */
    public List<String> removal() {
        return List.of("sh", "-c", REMOVE, "sh", directory.toString());
    }

    /** Returns the path of a file of the group. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Returns the path of a file of the group. */
    public Path file(Entry entry) {
        return file(entry.nameIn(version));
    }

    /** Lists this group and those above it, as far as they have a file that can be read. */
    public List<CgroupPaths> withThoseAbove(Entry entry) {
        String file = entry.nameIn(version);
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

    /** Returns whether the limit of memory can be set in groups below: the files of version 1 are there only with the controller. */
    public boolean canLimitMemory() {
        return version == 2 || Files.exists(file(Entry.MEMORY_USED));
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
        Map<String, Long> own = keyed(file(Entry.MEMORY_STATISTICS));
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
                ? keyed(file(Entry.MEMORY_LIMIT_HITS)).getOrDefault("max", 0L)
                : limitCounters().stream()
                        .mapToLong(file -> Long.parseLong(text(file).strip()))
                        .sum();
    }

    /** Returns whether the kernel counts all hits of the limit: not every kernel counts those of version 1 without swap. */
    public boolean countsAllLimitHits() {
        return version == 2;
    }

    /** Opens the files that count hits of limits; their sums together are the hits, those of the soft limit of version 2 included. */
    public List<KeyValueFile> openLimitCounters() {
        return version == 2
                ? List.of(new KeyValueFile(file(Entry.MEMORY_LIMIT_HITS), SMALL_BYTES, List.of("max ", "high ")))
                : limitCounters().stream().map(CgroupPaths::openNumber).toList();
    }

    /** Opens the file of the highest use of memory; {@code null} if all hits of the limit are counted, or it cannot be read. */
    public @Nullable KeyValueFile openHighestUse() {
        Path file = file(Entry.MEMORY_HIGHEST);
        return countsAllLimitHits() || !Files.isReadable(file) ? null : openNumber(file);
    }

    private static KeyValueFile openNumber(Path file) {
        return new KeyValueFile(file, SMALL_BYTES, List.of(""));
    }

    /** Returns the file of the pressure of memory: a group of version 1 has none of its own, and that of the machine includes it. */
    public Path memoryPressure() {
        return version == 2 ? file(Entry.MEMORY_PRESSURE) : Path.of("/proc/pressure/memory");
    }

    private List<Path> limitCounters() {
        return Stream.of(Entry.MEMORY_LIMIT_HITS, Entry.MEMORY_AND_SWAP_LIMIT_HITS)
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

    /** Returns the first quota that a group has, as {@link #processorQuota()}. */
    public static OptionalDouble firstProcessorQuota(List<CgroupPaths> groups) {
        return groups.stream()
                .map(CgroupPaths::processorQuota)
                .filter(OptionalDouble::isPresent)
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    /** Limits the memory that the group may use, page cache included. @throws IOException the kernel refuses */
    public void limitMemory(long bytes) throws IOException {
        Files.writeString(file(Entry.MEMORY_LIMIT), Long.toString(bytes));
    }

    /** Limits the processors' worth of time that the group may use. @throws IOException the kernel refuses */
    public void limitProcessors(double processors) throws IOException {
        String quotaUs = Long.toString(Math.round(processors * PERIOD_US));
        if (version == 2) {
            Files.writeString(file("cpu.max"), quotaUs + " " + PERIOD_US);
        } else {
            Files.writeString(file("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
            Files.writeString(file("cpu.cfs_quota_us"), quotaUs);
        }
    }

    /** Sets the processors on which the group may run; a group of version 1 also needs memory nodes, those of the group above. @throws IOException the kernel refuses */
    public void setProcessors(String list) throws IOException {
        if (version == 1) {
            Path nodes = directory.resolveSibling("cpuset.mems");
            Files.writeString(file("cpuset.mems"), Files.readString(nodes).strip());
        }
        Files.writeString(file("cpuset.cpus"), list);
    }

    /**
     * Returns the line that limits the use of a disk, for the file of such limits.
     *
     * @param disk its numbers
     * @param perSecond operations or bytes; 0 for no limit
     */
    public String limitLine(DiskUse use, String disk, String perSecond) {
        return disk + ' ' + limitKey(use) + (version == 2 && perSecond.equals("0") ? "max" : perSecond);
    }

    /** Returns how the word of a disk's line begins that has the limit in it. */
    public String limitKey(DiskUse use) {
        return version == 2 ? use.secondLimit : "";
    }

    /** Returns the word of a disk's line that the count follows. */
    public String countKey(DiskUse use) {
        return version == 2 ? use.secondCount : use.firstCount;
    }

    /** Reads the limit of the reads of a disk; empty: there is none, or the group is gone. */
    public Optional<Long> readsPerSecond(String disk) {
        try (Stream<String> lines = Files.lines(file(Entry.READ_LIMIT))) {
            String start = disk + ' ';
            String key = limitKey(DiskUse.READS);
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
        return mount.flatMap(root -> membership(memberships, controller).map(below -> existing(root, below)));
    }

    /** Finds the path of a group below the mount of the hierarchy, in lines of {@code /proc/PID/cgroup}; version 2 has no controller there. */
    public static Optional<String> membership(List<String> memberships, String controller) {
        return memberships.stream()
                .map(line -> line.split(":", 3))
                .filter(words -> List.of(words[1].split(",", -1)).contains(controller))
                .map(words -> words[2])
                .findFirst();
    }

    /** Returns the group's directory; in a container, the path may be the host's, and the files are at the mount itself. */
    private static Path existing(Path root, String below) {
        Path directory = root.resolve(below.substring(1));
        return Files.isDirectory(directory) ? directory : root;
    }
}
