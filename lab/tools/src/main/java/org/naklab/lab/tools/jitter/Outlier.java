package org.naklab.lab.tools.jitter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.naklab.lab.core.timeline.Interval;

/**
 * Is one time in which messages were late. Times are CLOCK_MONOTONIC in ns.
 *
 * @param beginNs when the first late message was due
 * @param endNs when the last one was read
 * @param dueNs when the latest message was due
 * @param sentNs when that one was sent
 * @param readNs when that one was read
 * @param messages how many were late
 */
public record Outlier(long beginNs, long endNs, long dueNs, long sentNs, long readNs, long messages) {
    /** Returns how late the latest message was, ns. */
    @JsonIgnore
    public long latencyNs() {
        return readNs - dueNs;
    }

    /** Returns whether the sending thread was late for longer than the receiving one. */
    @JsonIgnore
    public boolean isOfProducer() {
        return sentNs - dueNs > readNs - sentNs;
    }

    /** Returns from when to when the sending thread should have sent the latest message, and did not. */
    @JsonIgnore
    public Interval unsent() {
        return new Interval(dueNs, sentNs);
    }

    /** Returns from when to when the receiving thread should have read it, and did not. */
    @JsonIgnore
    public Interval unread() {
        return new Interval(sentNs, readNs);
    }

    /** Returns the whole time. */
    @JsonIgnore
    public Interval interval() {
        return new Interval(beginNs, endNs);
    }
}
