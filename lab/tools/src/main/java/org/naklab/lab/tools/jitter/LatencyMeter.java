package org.naklab.lab.tools.jitter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.linux.ThreadAffinity;

/**
 * Measures the latency between two threads: one sends a message whenever one is due, the other reads it. The latency counts from the time at which the
 * message was due, so that a late sender does not hide what it did not send. Neither thread allocates while it measures.
 */
public final class LatencyMeter {
    /** The kernel shows no more than 15 bytes of a name. */
    public static final String PRODUCER = "jitter-producer";

    /** The name of the receiving thread. */
    public static final String CONSUMER = "jitter-consumer";

    /** A thread that has longer to wait sleeps; it spins for the rest, as it wakes up to 60 us late (timer slack and wake-up). */
    private static final long SLEEP_FROM_NS = TimeUnit.MICROSECONDS.toNanos(300);

    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(150);
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;
    private static final long FIRST_DUE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MeterSettings settings;
    private final StampRing ring = new StampRing();
    private final Histogram histogram = new Histogram(MOST_NS, DIGITS);
    private final LateMessages late = new LateMessages();
    /** Read by the thread that tells the worst outlier. */
    private volatile long startNs;

    private long allocatedBytes;

    public LatencyMeter(MeterSettings settings) {
        this.settings = settings;
    }

    /** Measures; returns when the last message was read. */
    public void run() throws InterruptedException {
        startNs = System.nanoTime() + FIRST_DUE_NS;
        Failure failure = new Failure();
        Thread producer = new Thread(this::produce, PRODUCER);
        Thread consumer = new Thread(this::consume, CONSUMER);
        producer.setUncaughtExceptionHandler(failure);
        consumer.setUncaughtExceptionHandler(failure);
        consumer.setDaemon(true);
        producer.setDaemon(true);
        consumer.start();
        producer.start();
        while (consumer.isAlive() && failure.first == null) {
            consumer.join(TimeUnit.SECONDS.toMillis(1));
        }
        if (failure.first != null) {
            throw new IllegalStateException("the meter failed", failure.first);
        }
        producer.join();
    }

    private static final class Failure implements Thread.UncaughtExceptionHandler {
        private volatile @Nullable Throwable first;

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            first = failure;
        }
    }

    /** Returns when the measurement began, after the warm-up: CLOCK_MONOTONIC, ns. */
    long measuredFromNs() {
        return startNs + settings.warmUpMessages() * settings.times().paceNs();
    }

    /** Returns the latencies of all messages after the warm-up, ns. */
    Histogram histogram() {
        return histogram;
    }

    LateMessages late() {
        return late;
    }

    /** Returns how much the receiving thread allocated while it measured, bytes. */
    long allocatedBytes() {
        return allocatedBytes;
    }

    private void produce() {
        pin(settings.threads().producerCpu());
        long messages = settings.messages();
        long paceNs = settings.times().paceNs();
        long firstNs = startNs;
        for (long message = 0; message < messages; message++) {
            send(message, firstNs + message * paceNs);
        }
    }

    private void send(long message, long dueNs) {
        awaitDue(dueNs);
        while (!ring.hasRoomFor(message)) {
            relax();
        }
        ring.put(message, System.nanoTime());
    }

    private void consume() {
        pin(settings.threads().consumerCpu());
        long warmUp = settings.warmUpMessages();
        long messages = settings.messages();
        // The first look allocates by itself.
        allocatedBytes = Allocation.ofThisThread();
        for (long message = 0; message < warmUp; message++) {
            receive(message);
        }
        histogram.reset();
        late.clear();
        long before = Allocation.ofThisThread();
        for (long message = warmUp; message < messages; message++) {
            receive(message);
        }
        allocatedBytes = Allocation.ofThisThread() - before;
    }

    private void receive(long message) {
        long dueNs = startNs + message * settings.times().paceNs();
        if (!ring.has(message)) {
            awaitDue(dueNs - SPIN_NS);
            while (!ring.has(message)) {
                relax();
            }
        }
        long sentNs = ring.take(message);
        long readNs = System.nanoTime();
        long latencyNs = readNs - dueNs;
        histogram.recordValue(Math.min(latencyNs, MOST_NS));
        if (latencyNs >= settings.times().thresholdNs()) {
            late.add(dueNs, sentNs, readNs);
        }
    }

    private void awaitDue(long dueNs) {
        long remainingNs = dueNs - System.nanoTime();
        while (remainingNs > 0) {
            if (remainingNs > SLEEP_FROM_NS) {
                LockSupport.parkNanos(remainingNs - SPIN_NS);
            } else {
                relax();
            }
            remainingNs = dueNs - System.nanoTime();
        }
    }

    /** To yield is what is to be measured on a machine where nobody else would run. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void relax() {
        if (settings.threads().yields()) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private static void pin(int cpu) {
        if (cpu != MeterSettings.ANY_CPU) {
            ThreadAffinity.pin(cpu);
        }
    }
}
