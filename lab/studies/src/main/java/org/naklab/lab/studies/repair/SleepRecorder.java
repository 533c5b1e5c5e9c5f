package org.naklab.lab.studies.repair;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.naklab.messaging.DutyCycleListener;

/** Records how long the thread of a transport takes from one duty cycle to the next when it has slept in between. */
final class SleepRecorder implements DutyCycleListener {
    static final long MAX_NS = TimeUnit.SECONDS.toNanos(1);

    /** Half of what a thread asks for: a shorter cycle had no sleep in it. */
    private static final long LEAST_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int DIGITS = 2;

    private final Histogram sleepsNs = empty();
    private long lastNs;

    static Histogram empty() {
        return new Histogram(MAX_NS, DIGITS);
    }

    @Override
    public void onCycleEnd(long timeNs) {
        long lengthNs = timeNs - lastNs;
        if (lastNs != 0 && lengthNs >= LEAST_NS) {
            sleepsNs.recordValue(Math.min(lengthNs, MAX_NS));
        }
        lastNs = timeNs;
    }

    /** Returns the sleeps; to be called when the thread has ended. */
    Histogram sleepsNs() {
        return sleepsNs;
    }
}
