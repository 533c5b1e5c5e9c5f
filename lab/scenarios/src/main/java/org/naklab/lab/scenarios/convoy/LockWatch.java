package org.naklab.lab.scenarios.convoy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.kernel.counters.FileLocks;
import org.naklab.lab.instruments.linux.ThreadCall;
import org.naklab.lab.instruments.threads.ProcessThreads;

/**
 * Looks at threads of other processes a few hundred times a second: which of them wait for the lock of a file, which file, and who holds the lock. It reads
 * {@code /proc} only, and knows nothing of the programs.
 */
final class LockWatch implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Map<Long, Watched> threads;
    private final Map<ConvoyReport.LockWait, Long> waits = new HashMap<>();
    private final Thread sampler = new Thread(this::sample, "lock-watch");
    private volatile boolean isEnded;
    private long samples;
    private long lockSamples;

    /**
     * Is a thread to be looked at.
     *
     * @param process name of its process
     */
    record Watched(String process, long pid, int tid) {}

    /** @param threads by the number of their process */
    LockWatch(Map<Long, Watched> threads) {
        this.threads = Map.copyOf(threads);
        sampler.setDaemon(true);
    }

    /** Finds a thread by its name; empty if there is none. */
    static Optional<Watched> find(String process, long pid, String thread) {
        OptionalInt tid = new ProcessThreads(pid).find(thread);
        return tid.isPresent() ? Optional.of(new Watched(process, pid, tid.getAsInt())) : Optional.empty();
    }

    void start() {
        sampler.start();
    }

    private void sample() {
        while (!isEnded) {
            threads.values().forEach(this::look);
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private void look(Watched thread) {
        ThreadCall.read(thread.pid, thread.tid).ifPresent(call -> {
            samples++;
            if (call.kind() == ThreadCall.Kind.FILE_LOCK) {
                lockSamples++;
                call.lockedFile(thread.pid).ifPresent(file -> count(thread, call, file));
            }
        });
    }

    /** The holder may have changed since the call was read; then nothing is said about it. */
    private void count(Watched thread, ThreadCall call, Path file) {
        FileLocks.read()
                .holderThatBlocks((int) thread.pid)
                .map(lock -> threads.get((long) lock.pid()))
                .ifPresent(holder -> waits.merge(
                        new ConvoyReport.LockWait(
                                file.toString(),
                                call.name(),
                                holder.process + " (pid " + holder.pid + ")",
                                ThreadCall.read(holder.pid, holder.tid)
                                        .map(LockWatch::words)
                                        .orElse("ended")),
                        1L,
                        Long::sum));
    }

    private static String words(ThreadCall call) {
        return switch (call.kind()) {
            case RUNNING -> "running";
            case SLEEP -> "asleep in " + call.name();
            case POLL, FILE_LOCK, OTHER -> "in " + call.name();
        };
    }

    /** Ends it; the figures may be read afterwards. */
    @Override
    public void close() {
        isEnded = true;
        boolean interrupted = Thread.interrupted();
        while (sampler.isAlive()) {
            try {
                sampler.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    long samples() {
        return samples;
    }

    double lockShare() {
        return samples == 0 ? 0 : (double) lockSamples / samples;
    }

    /** Returns the wait that was seen most often. */
    ConvoyReport.@Nullable LockWait mostFrequent() {
        return waits.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
