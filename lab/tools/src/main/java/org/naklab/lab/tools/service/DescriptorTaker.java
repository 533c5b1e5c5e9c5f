package org.naklab.lab.tools.service;

import java.io.FileInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.subscriber.ServiceCounters;

/**
 * Opens descriptors, from a second after the flow began, until none is left, and takes what becomes free later; lets go of all before the flow ends, because its
 * end needs descriptors too. It takes none around a full second, when the journal rolls: whoever takes a descriptor in the millisecond in which the journal lends its
 * own makes that roll fail.
 */
final class DescriptorTaker {
    private static final int MOST = 600;
    private static final long EVENTS_BEFORE = 20_000;
    /** Descriptors are short during this share of the remaining events, in percent. */
    private static final long SHORT_PERCENT = 80;

    private static final long PERIOD_NS = 1_000_000;
    /** None is taken so long before and after a full second. */
    private static final long LEFT_ALONE_MS = 100;
    /** At once, so that the end of the flow is not reached before. */
    private static final int BURST = 20;

    private final List<FileInputStream> taken = new ArrayList<>();
    private volatile long refusedNs;
    private volatile boolean isRefused;
    private volatile boolean isEnded;
    private @Nullable Thread thread;

    /** Begins when the service has received a second's events of those of the flow. */
    void start(ServiceCounters counters, long events) {
        Thread started = new Thread(() -> take(counters, events), "descriptor-taker");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private void take(ServiceCounters counters, long events) {
        long until = EVENTS_BEFORE + (events - EVENTS_BEFORE) * SHORT_PERCENT / 100;
        while (!isEnded && counters.received() < until) {
            LockSupport.parkNanos(PERIOD_NS);
            long withinMs = Instant.now().get(ChronoField.MILLI_OF_SECOND);
            boolean isRoll = withinMs < LEFT_ALONE_MS || withinMs > Units.MS_PER_S - LEFT_ALONE_MS;
            for (int i = 0; i < BURST && !isRoll && counters.received() >= EVENTS_BEFORE && taken.size() < MOST; i++) {
                takeOne();
            }
        }
        CloseHelper.closeAll(taken);
        while (!isEnded) {
            LockSupport.parkNanos(PERIOD_NS);
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
        return taken.size();
    }

    /** Takes no more, and lets go of all. Until then its thread lives, so that the threads of the process can be measured. */
    void end() throws InterruptedException {
        isEnded = true;
        if (thread != null) {
            thread.join();
            thread = null;
        }
    }
}
