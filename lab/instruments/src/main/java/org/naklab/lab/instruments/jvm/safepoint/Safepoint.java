package org.naklab.lab.instruments.jvm.safepoint;

import org.naklab.lab.core.timeline.Interval;

/**
 * Is one time in which a JVM stopped its threads. Times are CLOCK_MONOTONIC in ns.
 *
 * @param operation as the JVM names it; one that names none has no VM operation, such as the periodic one of JDK 17
 * @param beginNs when the JVM began to stop the threads
 * @param endNs when they could go on
 * @param toSafepointNs how long it took until all had stopped, ns
 */
public record Safepoint(String operation, long beginNs, long endNs, long toSafepointNs) {
    /** Returns the whole time. */
    public Interval interval() {
        return new Interval(beginNs, endNs);
    }

    /** Returns the length, ns. */
    public long lengthNs() {
        return endNs - beginNs;
    }
}
