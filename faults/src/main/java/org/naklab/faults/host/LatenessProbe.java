package org.naklab.faults.host;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that wants to run each millisecond and does nothing else: how late it is, the machine was. */
final class LatenessProbe implements AutoCloseable {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long END_TIMEOUT_MS = 5_000;

    /** Between two wake-ups, CLOCK_MONOTONIC, ns. */
    record Gap(long beginNs, long endNs) {}

    private final Thread thread = new Thread(this::run, "lateness-probe");
    private volatile boolean running = true;
    private volatile Gap longest = new Gap(0, 0);

    private LatenessProbe() {}

    static LatenessProbe start() {
        LatenessProbe probe = new LatenessProbe();
        probe.thread.setDaemon(true);
        probe.thread.start();
        return probe;
    }

    private void run() {
        long lastNs = System.nanoTime();
        while (running) {
            LockSupport.parkNanos(this, PERIOD_NS);
            long nowNs = System.nanoTime();
            if (nowNs - lastNs > longest.endNs() - longest.beginNs()) {
                longest = new Gap(lastNs, nowNs);
            }
            lastNs = nowNs;
        }
    }

    Gap longest() {
        return longest;
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join(END_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
