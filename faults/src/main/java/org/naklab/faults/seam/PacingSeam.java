package org.naklab.faults.seam;

import org.jspecify.annotations.Nullable;

/**
 * Between a pacer and the sender: moves due times forward while a burst is on. The burst is of the feed's own messages, in
 * order, for every receiver to see; datagrams from elsewhere would fill a socket without being part of the feed. Its owner
 * calls {@link #dueNs} once a message, on one thread.
 */
public final class PacingSeam {
    private volatile @Nullable Burst burst;
    private long leadNs;
    private long previousNs;
    private boolean first = true;

    /** Returns when to send a message that the pacer wants to send at {@code scheduledNs}; never later than that, never backwards. */
    public long dueNs(long scheduledNs) {
        Burst current = burst;
        long gapNs = first ? 0 : Math.max(0, scheduledNs - previousNs);
        first = false;
        previousNs = scheduledNs;
        if (current != null) {
            leadNs += Math.min(gapNs, current.gainNs(scheduledNs - leadNs, gapNs));
        }
        return scheduledNs - leadNs;
    }

    /** Begins a burst, in place of one that may be on. Time won stays won: the pacer's rate is kept up from there. */
    public void begin(Burst newBurst) {
        burst = newBurst;
    }

    /** Ends that burst, if it is on. */
    public void end(Burst oldBurst) {
        if (burst == oldBurst) {
            burst = null;
        }
    }

    /** Says by how much the gap before a message shrinks. */
    @FunctionalInterface
    public interface Burst {
        /**
         * Returns how much time is won.
         *
         * @param dueNs when the message would go out otherwise
         * @param gapNs time since the message before it, as the pacer wants it
         * @return nanoseconds, at most {@code gapNs}
         */
        long gainNs(long dueNs, long gapNs);
    }
}
