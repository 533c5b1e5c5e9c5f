package org.naklab.lab.bench.service;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;
import org.naklab.subscriber.ServiceCounters;

/** Opens a descriptor each millisecond, from a second after the flow began, and holds all of them until its end: whatever becomes free is taken. */
final class DescriptorTaker {
    private static final int MOST = 600;
    private static final long EVENTS_BEFORE = 20_000;
    private static final long PERIOD_NS = 1_000_000;
    /** At once, so that the end of the flow is not reached before. */
    private static final int BURST = 20;

    private final List<FileInputStream> taken = new ArrayList<>();
    private volatile long refusedNs;
    private volatile boolean isRefused;
    private volatile boolean isEnded;
    private int opened;
    private @Nullable Thread thread;

    /** Begins when the service has received a second's events. */
    void start(ServiceCounters counters) {
        Thread started = new Thread(() -> take(counters), "descriptor-taker");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private void take(ServiceCounters counters) {
        while (!isEnded) {
            LockSupport.parkNanos(PERIOD_NS);
            for (int i = 0; i < BURST && counters.received() >= EVENTS_BEFORE && taken.size() < MOST; i++) {
                takeOne();
            }
        }
    }

    private void takeOne() {
        try {
            taken.add(new FileInputStream("/dev/null"));
        } catch (IOException none) {
            // The limit is reached: that is what this waits for.
            if (!isRefused) {
                refusedNs = System.nanoTime();
                isRefused = true;
            }
        }
    }

    /** Returns whether the limit was reached. */
    boolean isRefused() {
        return isRefused;
    }

    /** Returns when the first one was refused. */
    long refusedNs() {
        return refusedNs;
    }

    /** Returns how many it took; after the end. */
    int opened() {
        return opened;
    }

    /** Takes no more, and lets go of all. Does nothing a second time. */
    void end() {
        isEnded = true;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted before the descriptors were let go of", e);
            }
            thread = null;
        }
        opened += taken.size();
        CloseHelper.closeAll(taken);
        taken.clear();
    }
}
