package org.naklab.lab.studies.detection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.CpuUsageHistory;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.sockets.SocketSource;
import org.naklab.lab.instruments.sockets.SocketSources;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.instruments.watch.Watch;

/** Measures how soon the instruments detect a first drop, and how much CPU the sampler uses meanwhile. */
public final class DetectionBench {
    private static final long PATIENCE_NS = 10_000_000_000L;
    private static final long NOT_YET = Long.MIN_VALUE;
    private static final long POLL_NS = 1_000_000L;
    private static final int DIGITS = 3;

    private static final ErrorHandler FAILURE = error -> {
        throw new IllegalStateException("an instrument failed", error);
    };

    private DetectionBench() {}

    /**
     * Floods a socket that nobody reads until a datagram is dropped, and takes the time until the sampler has seen it. The drop is
     * dated by asking the socket after each datagram.
     *
     * @return nanoseconds, a figure for each round
     */
    public static List<Long> detectionLatenciesNs(int rounds) {
        List<Long> latenciesNs = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            try (DatagramChannel receiver = open();
                    DatagramChannel sender = open()) {
                latenciesNs.add(detectionLatencyNs(receiver, sender));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return latenciesNs;
    }

    /** Returns the distribution of latencies, exact to three digits. */
    public static Histogram histogramNs(List<Long> latenciesNs) {
        Histogram histogram = new Histogram(DIGITS);
        latenciesNs.forEach(histogram::recordValue);
        return histogram;
    }

    /**
     * Measures the CPU use of the sampler and that of waking up as often, in turns.
     *
     * @param rounds at least 1
     * @param ticks of either in a round, after as many for warming up
     */
    public static SamplerOverhead samplerOverhead(int rounds, long ticks) {
        List<SamplerOverhead.Round> measured = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            measured.add(new SamplerOverhead.Round(wakeUpCost(ticks), samplerCost(ticks)));
        }
        return new SamplerOverhead(measured);
    }

    /** Measures the CPU use of the sampler with sockets, threads, memory and timer on this process, after the warm-up. */
    static SamplerCost samplerCost(long ticks) {
        try (DatagramChannel receiver = open();
                Watch watch = watchThisProcess(event -> {})) {
            SamplerCost cost = costOnceWarm(watch::statistics, watch.samplerShares(), ticks);
            if (!receiver.isOpen()) {
                throw new IllegalStateException("the socket that is watched was closed");
            }
            return cost;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Measures the part of it that wake-ups cost, which depends on the machine: a sampler without instruments. */
    static SamplerCost wakeUpCost(long ticks) {
        try (InstrumentRunner empty = new InstrumentRunner(SystemNanoClock.INSTANCE, event -> {}, List.of(), FAILURE)) {
            empty.start();
            return costOnceWarm(empty::statistics, empty.samplerShares(), ticks);
        }
    }

    private static long detectionLatencyNs(DatagramChannel receiver, DatagramChannel sender) throws IOException {
        int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
        AtomicLong detectedNs = new AtomicLong(NOT_YET);
        TimelineListener listener = event -> {
            if (event instanceof SocketEvent.Dropped dropped && dropped.port() == port) {
                detectedNs.compareAndSet(NOT_YET, dropped.detectedNs());
            }
        };
        try (Watch watch = watchThisProcess(listener);
                SocketSource truth =
                        SocketSources.openBest(ProcessHandle.current().pid())) {
            awaitTicks(watch::statistics, 1);
            long droppedNs = floodUntilDrop(sender, receiver.getLocalAddress(), truth, port);
            await(() -> detectedNs.get() != NOT_YET);
            return Math.max(0, detectedNs.get() - droppedNs);
        }
    }

    private static long floodUntilDrop(DatagramChannel sender, SocketAddress to, SocketSource truth, int port)
            throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(100);
        MonitoredSocket socket = Arrays.stream(truth.sockets())
                .filter(candidate -> candidate.identity().localPort() == port)
                .findFirst()
                .orElseThrow(() -> new DetectException("the bench's own socket is not seen"));
        long beforeNs = System.nanoTime();
        while (socket.drops() == 0) {
            beforeNs = System.nanoTime();
            sender.send(payload.clear(), to);
            truth.sample();
        }
        return beforeNs;
    }

    private static Watch watchThisProcess(TimelineListener listener) {
        return Watch.attach("bench", ProcessHandle.current().pid(), listener, List.of(), FAILURE);
    }

    private static SamplerCost costOnceWarm(
            Supplier<SamplerStatistics> statistics, CpuUsageHistory shares, long ticks) {
        awaitTicks(statistics, ticks);
        SamplerStatistics warm = statistics.get();
        long warmTenths = shares.count();
        awaitTicks(statistics, warm.ticks() + ticks);
        return new SamplerCost(statistics.get().since(warm), shares.since(warmTenths));
    }

    private static void awaitTicks(Supplier<SamplerStatistics> statistics, long ticks) {
        await(() -> statistics.get().ticks(), ticks);
    }

    private static void await(BooleanSupplier condition) {
        await(() -> condition.getAsBoolean() ? 1 : 0, 1);
    }

    /** Waits as long as there is progress: a machine may stall repeatedly. */
    private static void await(LongSupplier progress, long target) {
        long before = progress.getAsLong();
        long endNs = System.nanoTime() + PATIENCE_NS;
        for (long now = before; now < target; now = progress.getAsLong()) {
            if (now != before) {
                before = now;
                endNs = System.nanoTime() + PATIENCE_NS;
            }
            if (System.nanoTime() - endNs > 0) {
                throw new DetectException("the instruments did not answer within 10 s");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static DatagramChannel open() throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return channel;
    }
}
