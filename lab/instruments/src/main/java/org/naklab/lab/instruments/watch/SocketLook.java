package org.naklab.lab.instruments.watch;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.instruments.kernel.KernelRecord;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSettings;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.PollingThreads;
import org.naklab.lab.instruments.threads.SocketReaders;
import org.naklab.lab.instruments.threads.ThreadLabels;
import org.naklab.lab.instruments.threads.WatchedThreads;

/**
 * Looks at the UDP sockets of a process for a short time: how long their buffers last, and which threads read them. It reads no file of the process, so that no page of a library comes into
 * memory.
 */
public final class SocketLook {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Longer than any look, and not more than the recorder takes: only samples of running threads are wanted. */
    private static final long NO_WAIT_NS = TimeUnit.MINUTES.toNanos(10);

    static final RecorderSettings SAMPLES_ONLY = new RecorderSettings(
            NO_WAIT_NS,
            NO_WAIT_NS,
            0,
            false,
            0,
            List.of(),
            0,
            new RecorderSettings.Sampling(ThreadSample.PERIOD_NS, false),
            false,
            false);

    private SocketLook() {}

    /** Looks at something else meanwhile. */
    @FunctionalInterface
    public interface Look {
        /**
         * Looks.
         *
         * @param nowNs CLOCK_MONOTONIC, ns
         * @throws IOException it is not there any more
         */
        void at(long nowNs) throws IOException;
    }

    /**
     * Looks at the sockets that are open.
     *
     * @param lengthNs how long, ns
     * @param meanwhile is called every few hundredths of a second
     * @return empty if it has none, or they are out of reach
     * @throws IOException of what is called meanwhile
     */
    public static List<ReadSocket> at(long pid, long lengthNs, Look meanwhile) throws IOException {
        NanoClock clock = SystemNanoClock.INSTANCE;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        WatchedThreads polling = WatchedThreads.of();
        try (InstrumentRunner runner = new InstrumentRunner(
                        clock, event -> {}, List.of(), error -> failure.compareAndSet(null, error));
                KernelRecorder recorder =
                        KernelRecorder.start(Set.of(pid), SAMPLES_ONLY, kernelRecord -> add(polling, kernelRecord))) {
            SocketDepthInstrument sockets =
                    SocketDepthInstrument.attach(Long.toString(pid), pid, runner.events(), clock);
            runner.add(sockets);
            SocketReaders readers =
                    new SocketReaders(pid, () -> inodes(sockets), inode -> Set.of(), ThreadLabels.ofProcess(pid));
            readers.lookAtFirst();
            runner.add(readers);
            runner.start();
            long endNs = clock.nanoTime() + lengthNs;
            while (clock.nanoTime() - endNs < 0) {
                meanwhile.at(clock.nanoTime());
                LockSupport.parkNanos(PERIOD_NS);
            }
            recorder.remove(pid);
            Throwable error = failure.get();
            if (error != null) {
                throw new IllegalStateException("an instrument failed", error);
            }
            return sockets.open().stream()
                    .map(socket ->
                            new ReadSocket(socket, readersOf(socket.identity().inode(), readers, polling)))
                    .toList();
        } catch (DetectException outOfReach) {
            return List.of();
        }
    }

    private static void add(WatchedThreads polling, KernelRecord kernelRecord) {
        if (kernelRecord instanceof KernelRecord.Sample sample && PollingThreads.isPolling(sample.kernelStack())) {
            polling.add(sample.task().comm());
        }
    }

    /** A thread that never waits for its socket polls it; one that waits for another socket does not. */
    private static Set<String> readersOf(long inode, SocketReaders readers, WatchedThreads polling) {
        Set<String> waiting = readers.of(inode);
        if (!waiting.isEmpty()) {
            return Set.copyOf(waiting);
        }
        Set<String> others = new HashSet<>(polling.names());
        others.removeAll(readers.all());
        return others;
    }

    private static Set<Long> inodes(SocketDepthInstrument sockets) {
        return sockets.open().stream().map(socket -> socket.identity().inode()).collect(Collectors.toSet());
    }
}
