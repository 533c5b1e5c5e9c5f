package org.naklab.lab.tools.tune.workload;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.naklab.lab.core.Median;

/** Hands a time stamp from one thread to another, which waits for it in one of several ways. */
public final class HandOver {
    /** The system property with the way of waiting; see {@link Wait#label}. */
    public static final String WAIT = "naklab.tune.wait";

    /** Tells how a thread waits for the next time stamp. */
    public enum Wait {
        /** Spins, then yields, then parks for ever longer, at most 1 ms: what Agrona's agents do by default. */
        BACKOFF,
        SPIN,
        YIELD,
        /** Parks; the other thread wakes it. */
        PARK,
        /** Waits at a monitor; the other thread notifies it. */
        MONITOR,
        /** Sleeps for 1 ms, looks, and sleeps again. */
        SLEEP;

        /** Returns the word of the property. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the way of waiting with this word.
         *
         * @throws IllegalArgumentException there is none
         */
        public static Wait of(String label) {
            return Arrays.stream(values())
                    .filter(wait -> wait.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no way of waiting '" + label + "'"));
        }
    }

    private static final int WARM_UPS = 2;
    private static final int HAND_OVERS = 1_000;
    private static final long PACE_NS = 200_000;
    private static final long LONGEST_NS = 60_000_000_000L;

    private final Wait wait;
    private final AtomicLong slot = new AtomicLong();
    private final Object monitor = new Object();

    /** Creates the workload. */
    public HandOver(Wait wait) {
        this.wait = wait;
    }

    private record Round(double medianNs, double tailNs, double cpuShare) {}

    /**
     * Returns the median latency of each round, ns.
     *
     * @throws Exception a thread failed
     */
    public WorkloadResult run(int rounds) throws Exception {
        List<Round> measured = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            Round one = round();
            if (round >= 0) {
                measured.add(one);
            }
        }
        return new WorkloadResult(
                measured.stream().map(Round::medianNs).toList(),
                List.of(
                        new Figure("99 %, ns", Median.of(measured.stream().mapToDouble(Round::tailNs))),
                        new Figure(
                                "CPU of the waiting thread, %",
                                100 * Median.of(measured.stream().mapToDouble(Round::cpuShare)))),
                List.of("the waiting thread used " + wait.label()));
    }

    private Round round() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        FutureTask<Round> result = new FutureTask<>(() -> receive(start));
        Thread receiver = new Thread(result, "hand-over-receiver");
        receiver.setDaemon(true);
        receiver.start();
        start.await();
        for (int i = 0; i < HAND_OVERS; i++) {
            LockSupport.parkNanos(PACE_NS);
            awaitTaken(receiver);
            send(receiver);
        }
        return result.get();
    }

    /** Waits until the former stamp was taken: two stamps at once would be another experiment. */
    private void awaitTaken(Thread receiver) {
        while (slot.get() != 0) {
            if (!receiver.isAlive()) {
                throw new IllegalStateException("the receiving thread ended early");
            }
            Thread.onSpinWait();
        }
    }

    private void send(Thread receiver) {
        if (wait == Wait.MONITOR) {
            synchronized (monitor) {
                slot.set(System.nanoTime());
                monitor.notifyAll();
            }
            return;
        }
        slot.set(System.nanoTime());
        if (wait == Wait.PARK) {
            LockSupport.unpark(receiver);
        }
    }

    private Round receive(CyclicBarrier start) throws InterruptedException, BrokenBarrierException {
        Histogram latencies = new Histogram(LONGEST_NS, 3);
        BooleanSupplier next = waiting();
        start.await();
        long beginNs = System.nanoTime();
        long beginCpuNs = cpuNs();
        for (int i = 0; i < HAND_OVERS; i++) {
            if (!next.getAsBoolean()) {
                throw new InterruptedException("interrupted while waiting for a time stamp");
            }
            latencies.recordValue(Math.min(LONGEST_NS, Math.max(1, System.nanoTime() - slot.get())));
            slot.set(0);
        }
        double cpuShare = (cpuNs() - beginCpuNs) / (double) (System.nanoTime() - beginNs);
        return new Round(latencies.getValueAtPercentile(50), latencies.getValueAtPercentile(99), cpuShare);
    }

    /** Returns a function that waits for the next stamp; false: interrupted. */
    private BooleanSupplier waiting() {
        return switch (wait) {
            case SPIN ->
                () -> {
                    while (slot.get() == 0) {
                        Thread.onSpinWait();
                    }
                    return true;
                };
            case BACKOFF -> idling(new BackoffIdleStrategy());
            case YIELD -> idling(new YieldingIdleStrategy());
            case SLEEP -> idling(new SleepingMillisIdleStrategy(1));
            case PARK ->
                () -> {
                    while (slot.get() == 0 && !Thread.currentThread().isInterrupted()) {
                        LockSupport.park(this);
                    }
                    return slot.get() != 0;
                };
            case MONITOR -> this::awaitNotification;
        };
    }

    private BooleanSupplier idling(IdleStrategy idle) {
        return () -> {
            idle.reset();
            while (slot.get() == 0) {
                idle.idle();
            }
            return true;
        };
    }

    private boolean awaitNotification() {
        synchronized (monitor) {
            while (slot.get() == 0) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
