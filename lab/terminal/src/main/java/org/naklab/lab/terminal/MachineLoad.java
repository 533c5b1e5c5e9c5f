package org.naklab.lab.terminal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Measures how much of the machine's processors other programs use, by the kernel's count of CPU time ({@code /proc/stat} and {@code /proc/PID/stat}).
 *
 * @param processors of the machine
 * @param used of them, by everyone; the time that a hypervisor took counts
 * @param programs by use, the largest first
 */
public record MachineLoad(int processors, double used, List<Program> programs) {
    /** The replica and the instruments need about that many. */
    private static final double NEEDED = 1;

    /** Programs that use less are not named. */
    private static final double LEAST_NAMED = 0.1;

    private static final int MAX_NAMED = 3;
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The number of fields in the line {@code cpu} of {@code /proc/stat} that are read: user, nice, system, idle, iowait, irq, softirq, steal; the rest is part of user. */
    private static final int FIELDS = 8;

    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;

    /** The index of a field in {@code /proc/PID/stat}, counted after the name. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    /**
     * The processes of one name.
     *
     * @param used processors
     */
    public record Program(String name, double used) {}

    public MachineLoad {
        programs = List.copyOf(programs);
    }

    /**
     * Warns on standard error before a run if the machine is too busy for a verdict.
     *
     * @param consequence what may come of it, and what to do
     */
    public static void warn(Terminal terminal, String consequence) {
        measure()
                .flatMap(load -> load.warning(consequence))
                .ifPresent(text -> terminal.printHanging(terminal.err(), "warning: ", text));
    }

    /** Measures for 0.3 s; empty if the kernel does not tell. */
    public static Optional<MachineLoad> measure() {
        Path proc = ProcPaths.ROOT;
        try {
            Snapshot before = Snapshot.of(proc);
            LockSupport.parkNanos(WINDOW_NS);
            return between(before, Snapshot.of(proc));
        } catch (IOException | NumberFormatException e) {
            // Without these files there is no such warning; the run itself measures what it needs.
            return Optional.empty();
        }
    }

    static Optional<MachineLoad> between(Snapshot before, Snapshot after) {
        long allTicks = after.allTicks - before.allTicks;
        if (allTicks <= 0) {
            return Optional.empty();
        }
        double processorsPerTick = after.processors / (double) allTicks;
        Map<String, Double> programs = new HashMap<>();
        after.tasks.forEach((pid, task) -> {
            Task earlier = before.tasks.getOrDefault(pid, new Task(task.name, 0));
            double used = Math.max(0, task.ticks - earlier.ticks) * processorsPerTick;
            if (earlier.name.equals(task.name)) {
                programs.merge(task.name, used, Double::sum);
            }
        });
        List<Program> ordered = programs.entrySet().stream()
                .map(each -> new Program(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingDouble(Program::used).reversed())
                .toList();
        long idleTicks = after.idleTicks - before.idleTicks;
        return Optional.of(
                new MachineLoad(after.processors, after.processors - idleTicks * processorsPerTick, ordered));
    }

    /**
     * Returns a warning if less is free than one processor, which names those who use most.
     *
     * @param consequence what may come of it, and what to do
     */
    public Optional<String> warning(String consequence) {
        if (processors - used >= NEEDED) {
            return Optional.empty();
        }
        String who = programs.stream()
                .filter(program -> program.used >= LEAST_NAMED)
                .limit(MAX_NAMED)
                .map(program -> String.format(Locale.ROOT, "%s %.1f", program.name, program.used))
                .collect(Collectors.joining(", "));
        return Optional.of(String.format(
                Locale.ROOT,
                "%.1f of %d processors are in use%s; %s",
                used,
                processors,
                who.isEmpty() ? " (a hypervisor, or programs that cannot be seen)" : " (" + who + ")",
                consequence));
    }

    /** A process at one moment. */
    private record Task(String name, long ticks) {}

    /** The counts at one moment. */
    static final class Snapshot {
        private final int processors;
        private final long allTicks;
        private final long idleTicks;
        private final Map<Long, Task> tasks = new HashMap<>();

        private Snapshot(List<String> stat) {
            long[] ticks = Arrays.stream(stat.get(0).trim().split(" +"))
                    .skip(1)
                    .limit(FIELDS)
                    .mapToLong(Long::parseLong)
                    .toArray();
            allTicks = LongStream.of(ticks).sum();
            idleTicks = ticks[IDLE] + ticks[IO_WAIT];
            processors = (int) stat.stream()
                    .filter(line -> line.startsWith("cpu") && !line.startsWith("cpu "))
                    .count();
        }

        /** @param proc the directory of the kernel's files */
        static Snapshot of(Path proc) throws IOException {
            Snapshot snapshot = new Snapshot(Files.readAllLines(proc.resolve("stat")));
            try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
                for (Path process : processes) {
                    snapshot.add(process);
                }
            }
            return snapshot;
        }

        private void add(Path process) throws IOException {
            try {
                String stat = Files.readString(process.resolve("stat"));
                int end = stat.lastIndexOf(')');
                List<String> fields = List.of(stat.substring(end + 2).split(" "));
                tasks.put(
                        Long.valueOf(String.valueOf(process.getFileName())),
                        new Task(
                                stat.substring(stat.indexOf('(') + 1, end),
                                Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(SYSTEM_TICKS))));
            } catch (NoSuchFileException e) {
                // It has ended.
                return;
            } catch (IOException e) {
                // A process that ends while its file is read (ESRCH), or that is hidden from this user.
                if (Files.exists(process)) {
                    throw e;
                }
            }
        }
    }
}
