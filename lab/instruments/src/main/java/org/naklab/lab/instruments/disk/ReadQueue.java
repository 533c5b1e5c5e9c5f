package org.naklab.lab.instruments.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * Looks how the reads of a process are limited: the limit of its control group or of one above it, version 1 or 2, and how many threads of the group wait for a disk. It only reads files. One thread.
 */
public final class ReadQueue {
    /** The looks of the last half second count: a queue comes and goes with those who read. */
    private static final long KEPT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path proc;
    private final Disk disk;
    private final double readMs;
    private final List<CgroupPaths> groups;
    private final Deque<Look> looks = new ArrayDeque<>();
    private @Nullable Limit limit;

    /** A limit and the group that has it. */
    private record Limit(CgroupPaths group, long readsPerSecond) {}

    private record Look(long timeNs, int queued) {}

    /**
     * Creates the queue of a process at a disk.
     *
     * @param groups of the process, in which a limit may be
     * @param readMs a read takes so long on the disk, ms
     * @param proc {@code /proc}, or a copy of it
     */
    ReadQueue(Disk disk, double readMs, List<CgroupPaths> groups, Path proc) {
        this.disk = disk;
        this.readMs = readMs;
        this.groups = List.copyOf(groups);
        this.proc = proc;
    }

    /**
     * Finds the groups of a process.
     *
     * @throws IOException the kernel does not tell how long the disk takes for a read
     */
    public static ReadQueue of(long pid, Disk disk) throws IOException {
        List<CgroupPaths> groups = CgroupPaths.ofController(pid, CgroupPaths.READS);
        return new ReadQueue(disk, disk.meanReadMs(), groups, ProcPaths.ROOT);
    }

    /**
     * Looks at the limit and at the queue; to be called often.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public void look(long nowNs) {
        Limit found = findLimit();
        if (found == null || !found.equals(limit)) {
            looks.clear();
        }
        limit = found;
        if (found != null) {
            looks.addLast(new Look(nowNs, queued(found.group())));
            while (nowNs - looks.getFirst().timeNs() > KEPT_NS) {
                looks.removeFirst();
            }
        }
    }

    /** Returns whether a group of the process was limited at the last look. */
    public boolean isLimited() {
        return limit != null;
    }

    /** Returns the pace as of the last looks. */
    public ReadPace pace() {
        Limit known = limit;
        if (known == null) {
            return ReadPace.ofDisk(readMs);
        }
        boolean isQueue = looks.getLast().queued() > 0;
        double queued = looks.stream()
                .mapToInt(Look::queued)
                .filter(each -> each > 0)
                .average()
                .orElse(0);
        return new ReadPace(readMs, known.readsPerSecond(), isQueue ? queued : 0);
    }

    private @Nullable Limit findLimit() {
        @Nullable Limit strictest = null;
        for (CgroupPaths group : groups) {
            for (CgroupPaths each : group.withThoseAbove(CgroupPaths.Entry.PROCESSES)) {
                Optional<Long> reads = each.readsPerSecond(disk.numbers());
                if (reads.isPresent() && (strictest == null || reads.get() < strictest.readsPerSecond())) {
                    strictest = new Limit(each, reads.get());
                }
            }
        }
        return strictest;
    }

    private int queued(CgroupPaths group) {
        try (Stream<String> pids = Files.lines(group.file(CgroupPaths.Entry.PROCESSES))) {
            return pids.mapToInt(pid -> blockedThreads(proc.resolve(pid).resolve("task")))
                    .sum();
        } catch (IOException | UncheckedIOException gone) {
            // A group whose processes have ended may be gone.
            return 0;
        }
    }

    private static int blockedThreads(Path tasks) {
        int blocked = 0;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(tasks)) {
            for (Path task : each) {
                blocked += isBlocked(task) ? 1 : 0;
            }
            return blocked;
        } catch (IOException ended) {
            // A process that has ended reads nothing.
            return 0;
        }
    }

    /** The letter of the state is behind the name, which may have brackets in it. */
    private static boolean isBlocked(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            return stat.startsWith(" D", stat.lastIndexOf(')') + 1);
        } catch (IOException ended) {
            return false;
        }
    }
}
