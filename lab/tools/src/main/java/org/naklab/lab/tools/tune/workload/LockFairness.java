package org.naklab.lab.tools.tune.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;

/** Lets threads that do nothing else take one lock in turns: who waits, and for how long, is decided by the lock. */
public final class LockFairness {
    /** The system property with the kind of lock; see {@link Kind#label}. */
    public static final String LOCK = "naklab.tune.lock";

    /** The system property with the time for which the lock is held, µs. */
    public static final String HOLD = "naklab.tune.hold";

    /** A kind of lock. */
    public enum Kind {
        /** {@link ReentrantLock}: a thread that comes by may take it before those that wait. */
        BARGING,
        /** {@link ReentrantLock} that is handed to the thread that has waited longest. */
        FAIR,
        /** {@code synchronized}. */
        MONITOR;

        /** Returns the word of the property. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the kind with this word.
         *
         * @throws IllegalArgumentException there is none
         */
        public static Kind of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no lock '" + label + "'"));
        }
    }

    private static final int THREADS = 4;
    private static final int WARM_UPS = 1;
    private static final long ROUND_NS = 250_000_000;
    private static final int USUAL_HOLD_US = 5;

    private final Kind kind;
    private final long holdNs = Integer.getInteger(HOLD, USUAL_HOLD_US) * 1_000L;

    /** Creates the workload; the lock is held for {@value USUAL_HOLD_US} µs unless {@link #HOLD} says otherwise. */
    public LockFairness(Kind kind) {
        this.kind = kind;
    }

    /** Tells what one thread had of the lock. */
    private record Share(long taken, long longestWaitNs) {}

    private record Round(double longestWaitUs, double perSecond, double leastShare) {
        static Round of(List<Share> shares) {
            long all = shares.stream().mapToLong(Share::taken).sum();
            long least = shares.stream().mapToLong(Share::taken).min().orElseThrow();
            long longestNs =
                    shares.stream().mapToLong(Share::longestWaitNs).max().orElseThrow();
            return new Round(
                    longestNs / Units.NS_PER_US, all * Units.NS_PER_S / ROUND_NS, (double) least * shares.size() / all);
        }
    }

    /**
     * Returns the longest wait of each round, µs.
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
                measured.stream().map(Round::longestWaitUs).toList(),
                List.of(
                        new Figure("times taken/s", Median.of(measured.stream().mapToDouble(Round::perSecond))),
                        new Figure(
                                "share of the thread that took it least, % of a fair one",
                                100 * Median.of(measured.stream().mapToDouble(Round::leastShare)))),
                List.of(THREADS + " threads took a lock of the kind " + kind.label() + " and held it for "
                        + holdNs / 1_000 + " µs"));
    }

    private Round round() throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        Lock lock = new ReentrantLock(kind == Kind.FAIR);
        List<FutureTask<Share>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Share> task = new FutureTask<>(() -> contend(start, lock));
            tasks.add(task);
            Thread thread = new Thread(task, "contender-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        List<Share> shares = new ArrayList<>();
        for (FutureTask<Share> task : tasks) {
            shares.add(task.get());
        }
        return Round.of(shares);
    }

    private Share contend(CyclicBarrier start, Lock lock) throws Exception {
        start.await();
        long endNs = System.nanoTime() + ROUND_NS;
        long taken = 0;
        long longestNs = 0;
        long askedNs = System.nanoTime();
        while (askedNs - endNs < 0) {
            long takenNs = kind == Kind.MONITOR ? holdMonitor(lock) : hold(lock);
            taken++;
            longestNs = Math.max(longestNs, takenNs - askedNs);
            askedNs = System.nanoTime();
        }
        return new Share(taken, longestNs);
    }

    private long hold(Lock lock) {
        lock.lock();
        try {
            return work();
        } finally {
            lock.unlock();
        }
    }

    /** The monitor is that of an object that all threads have: the lock's, which is not used as such. */
    private long holdMonitor(Object monitor) {
        synchronized (monitor) {
            return work();
        }
    }

    /** Works for as long as the lock is held; returns when it began. */
    private long work() {
        long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < holdNs) {
            Thread.onSpinWait();
        }
        return beginNs;
    }
}
