package org.naklab.lab.cli.doctor.tuning;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.tools.tune.Experiment;
import org.naklab.lab.tools.tune.Obstacles;
import org.naklab.lab.tools.tune.SeparateBench;

/** Looks at this machine for each experiment: what is set, why it may matter here, and which command measures it. It recommends nothing. */
public final class TuningAudit {
    private static final int KIB = 1024;
    /** The JVM starts a collector thread for each of so many processors, and for five of eight above. */
    private static final int ALL_COLLECTORS = 8;

    private final MachineSettings machine;

    private TuningAudit(MachineSettings machine) {
        this.machine = machine;
    }

    private record Finding(String found, String reason) {}

    /** Returns a finding for each experiment on this machine, in the order of {@code naklab tune --list}. */
    public static List<TuningFinding> examine() {
        return examine(Path.of("/"));
    }

    /** Examines a copy of {@code /proc} and {@code /sys}. */
    static List<TuningFinding> examine(Path root) {
        TuningAudit audit = new TuningAudit(new MachineSettings(root));
        return Stream.concat(
                        Arrays.stream(Experiment.values()).map(audit::examine),
                        Arrays.stream(SeparateBench.values()).map(audit::examine))
                .toList();
    }

    private TuningFinding examine(SeparateBench bench) {
        Finding finding =
                switch (bench) {
                    case BUFFERS -> buffers();
                };
        return new TuningFinding(
                bench.label(), finding.found(), finding.reason(), Program.name() + " " + bench.command(), Map.of());
    }

    private Finding buffers() {
        return new Finding(
                "net.core.rmem_max: " + machine.text("/proc/sys/net/core/rmem_max") + " B, net.core.rmem_default: "
                        + machine.text("/proc/sys/net/core/rmem_default") + " B",
                "datagrams wait here while their reader stalls, and each takes several hundred bytes more than its payload; what does not fit is lost. A socket is granted at most the first number, which the kernel doubles");
    }

    private TuningFinding examine(Experiment experiment) {
        Finding finding =
                switch (experiment) {
                    case PAGES -> pages();
                    case ALLOCATOR -> allocator();
                    case GC_THREADS -> collectorThreads();
                    case ALIGNMENT -> alignment();
                    case ROLL -> roll();
                    case DESCRIPTORS -> descriptors();
                    case READ_AHEAD -> readAhead();
                    case HAND_OVER -> handOver();
                    case FAIRNESS -> fairness();
                    case DIRECT_IO -> directIo();
                    case PROCESSORS -> processors();
                };
        return new TuningFinding(
                experiment.label(),
                finding.found(),
                finding.reason(),
                Program.name() + " tune --experiment " + experiment.label(),
                experiment.arms().leftOut());
    }

    private Finding pages() {
        String directory = "/sys/kernel/mm/transparent_hugepage/";
        String enabled = machine.choice(directory + "enabled");
        String why =
                switch (enabled) {
                    case "always" ->
                        "the kernel gives huge pages to every large mapping, unasked; a page fault may then wait for memory to be compacted";
                    case "madvise" ->
                        "the kernel gives huge pages only to a program that asks for them; the JVM asks only if it has the flag -XX:+UseTransparentHugePages, so that its heap has pages of 4 KiB";
                    default ->
                        "the kernel gives no transparent huge pages, so that the heap has pages of 4 KiB unless huge pages are reserved";
                };
        return new Finding(
                "transparent huge pages: " + enabled + ", defragmentation: " + machine.choice(directory + "defrag")
                        + "; " + machine.text("/proc/sys/vm/nr_hugepages") + " huge pages reserved; "
                        + machine.number("/proc/vmstat", "compact_stall ").orElse(0)
                        + " waits for compaction since the machine started",
                why);
    }

    private Finding allocator() {
        int processors = Runtime.getRuntime().availableProcessors();
        String preload = Optional.ofNullable(System.getenv("LD_PRELOAD")).orElse("nothing");
        String arenas = Optional.ofNullable(System.getenv("MALLOC_ARENA_MAX")).orElse("not set");
        return new Finding(
                "preloaded: " + preload + "; MALLOC_ARENA_MAX: " + arenas,
                "glibc makes up to " + 8 * processors + " arenas on " + processors
                        + " processors; memory that threads free stays in theirs. The heap of the JVM is not affected, its native memory is");
    }

    private Finding collectorThreads() {
        int seen = Runtime.getRuntime().availableProcessors();
        long threads = seen <= ALL_COLLECTORS ? seen : ALL_COLLECTORS + (seen - ALL_COLLECTORS) * 5L / 8;
        OptionalDouble quota = machine.quota();
        String why = quota.isPresent() && quota.getAsDouble() < threads
                ? "the control group gives the time of " + decimal(quota.getAsDouble())
                        + " processors: collector threads beyond that are throttled, and the pause lasts until the last of them is done"
                : "a pause lasts until the last collector thread is done; threads that share a processor with other programs make it longer";
        return new Finding(
                "this JVM sees " + seen + " processors and would start " + threads
                        + " threads of a parallel collector; the service has the serial one",
                why);
    }

    private Finding alignment() {
        boolean isDetected = machine.contains("/proc/cpuinfo", "split_lock_detect");
        String mitigate = machine.text("/proc/sys/kernel/split_lock_mitigate");
        return new Finding(
                (isDetected
                                ? "the processor reports split locks"
                                : "the processor does not report split locks to this kernel")
                        + "; kernel.split_lock_mitigate: " + mitigate,
                isDetected && mitigate.equals("1")
                        ? "the kernel makes a thread that locks a word across two cache lines wait: a stall of milliseconds per operation"
                        : "this kernel does not report a lock word across two cache lines: only a lower throughput shows it, and a hypervisor may slow the thread down further");
    }

    private Finding roll() {
        Path directory = Path.of(System.getProperty("java.io.tmpdir"));
        return new Finding(
                "free space for files of a journal in " + directory + ": " + freeSpace(directory) + "; dirty pages: "
                        + machine.kib("/proc/meminfo", "Dirty:"),
                "the first append to a new file of the journal creates the file, allocates its blocks and maps it, which takes longer on a busy disk. Events wait in the ring meanwhile."
                        + " The service's journal begins a file each day at midnight UTC");
    }

    private static String freeSpace(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return Format.bytes(store.getUsableSpace()) + " (" + store.type() + ")";
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }

    private Finding descriptors() {
        List<String> limits = machine.openFileLimits();
        return new Finding(
                "open files of a process: at most " + limits.get(0) + ", and " + limits.get(1)
                        + " if it asks for more; this process has "
                        + machine.openFiles().orElse("an unknown number") + " open",
                "each client and each file takes a descriptor, and the service opens files while it runs: derived files roll, the journal begins a file. The JVM raises its own limit to"
                        + " the second number when it starts");
    }

    private Finding readAhead() {
        Optional<Path> file = Obstacles.readAheadFile();
        String found = file.map(path -> path + ": " + machine.text(path.toString()) + " KiB")
                .orElse("the disk of the temporary directory has no read-ahead");
        return new Finding(
                found,
                "a page fault of a mapped file may read as much as this from the disk. The service's journal is advised for random access (MADV_RANDOM), so that its faults read one page; other"
                        + " mapped files, such as libraries whose pages were evicted, are read in pieces of this size");
    }

    private Finding handOver() {
        String idle = machine.text("/sys/devices/system/cpu/cpuidle/current_driver");
        return new Finding(
                machine.onlineProcessors() + " processors; idle driver: " + idle
                        + "; the service's threads back off (spin, yield, park up to 1 ms)",
                "a thread that parks is late by the time that the kernel needs to wake it; one that spins takes a processor from the others");
    }

    private Finding fairness() {
        return new Finding(
                machine.onlineProcessors()
                        + " processors; locks of the JDK let running threads in before those that wait",
                "a thread that waits is asleep, and the one that releases the lock is running and may take it again: a thread can starve. A fair lock prevents that, and wakes a thread for each hand-over");
    }

    private Finding directIo() {
        long memoryBytes = machine.number("/proc/meminfo", "MemTotal:").orElse(0) * KIB;
        String percent = machine.text("/proc/sys/vm/dirty_ratio");
        String background = machine.text("/proc/sys/vm/dirty_background_ratio");
        return new Finding(
                "memory: " + Format.bytes(memoryBytes) + "; vm.dirty_background_ratio: " + background
                        + " %, vm.dirty_ratio: " + percent + " %",
                "what is written stays in the page cache until the kernel needs the memory, and may evict the pages of libraries. When the pages that are not yet on the disk exceed vm.dirty_ratio of the"
                        + " available memory, a thread that writes has to wait for the disk");
    }

    private Finding processors() {
        int seen = Runtime.getRuntime().availableProcessors();
        int online = machine.onlineProcessors();
        OptionalDouble quota = machine.quota();
        String time =
                quota.isPresent() ? decimal(quota.getAsDouble()) + " processors' time" : "no limit of processor time";
        return new Finding(
                "this JVM believes to have " + seen + "; the machine has " + online + "; the control group has " + time,
                seen == online && quota.isEmpty()
                        ? "the JVM's belief is right; other programs on these processors are not part of it"
                        : "the JVM sizes its pools and compilers for what it believes to have, not for what it gets");
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
