package org.naklab.exchange.pacing;

import org.naklab.messaging.feed.OrderEvent;

/**
 * Places a pacer's due times on the clock. A feed that is late catches up by sending at once what is overdue, but by no more
 * than a bounded time: what it is later than that, the whole schedule is moved back. So a delay costs duration, and never
 * turns into a burst longer than the bound.
 *
 * <p>The events that were overdue when the schedule was moved back keep their due times ({@link #dueAtNs}): a measurement from the
 * due times shows all of the delay.
 *
 * <p>Written by the feed thread; {@link #lateness()} may be read by any thread.
 */
public final class Schedule {
    private final Pacer pacer;
    private final long maxCatchUpNs;
    private long originNs;
    /** The origin of the due times that are told: that of before the last move while events of that schedule are overdue. */
    private long toldOriginNs;

    private long movedAtNs;
    private long dueNs = Pacer.NOW;
    private long messages;
    private long totalNs;
    private long maxNs;
    private long slippedNs;
    private volatile Lateness lateness = new Lateness(0, 0, 0, 0);

    public Schedule(Pacer pacer, long maxCatchUpNs) {
        this.pacer = pacer;
        this.maxCatchUpNs = maxCatchUpNs;
    }

    public void begin(long nowNs) {
        originNs = nowNs;
        toldOriginNs = nowNs;
    }

    public void moveTo(OrderEvent next, long index) {
        dueNs = pacer.dueNs(next, index);
    }

    /**
     * Returns whether the current event's place is before the given time after the start. Delays do not count, so that it is the same
     * events in each run; without a schedule the clock decides.
     */
    public boolean isWithin(long durationNs, long nowNs) {
        return (dueNs == Pacer.NOW ? nowNs - originNs : dueNs) < durationNs;
    }

    public boolean isDue(long nowNs) {
        if (dueNs == Pacer.NOW) {
            return true;
        }
        long lateNs = nowNs - originNs - dueNs;
        if (lateNs < 0) {
            return false;
        }
        if (lateNs > maxCatchUpNs) {
            slippedNs += lateNs - maxCatchUpNs;
            originNs += lateNs - maxCatchUpNs;
            movedAtNs = nowNs;
        }
        return true;
    }

    /**
     * Returns when the current event was due, on the clock of {@link #begin}.
     *
     * @param withoutScheduleNs what to return if there is no schedule
     */
    public long dueAtNs(long withoutScheduleNs) {
        if (dueNs == Pacer.NOW) {
            return withoutScheduleNs;
        }
        if (toldOriginNs != originNs && toldOriginNs + dueNs > movedAtNs) {
            toldOriginNs = originNs;
        }
        return toldOriginNs + dueNs;
    }

    public void onSent(long nowNs) {
        if (dueNs != Pacer.NOW) {
            long lateNs = Math.max(0, nowNs - originNs - dueNs);
            messages++;
            totalNs += lateNs;
            maxNs = Math.max(maxNs, lateNs);
        }
    }

    /** Lets other threads see how it went; the feed thread calls it where an allocation does no harm. */
    public void publish() {
        lateness = new Lateness(messages, messages == 0 ? 0 : totalNs / messages, maxNs, slippedNs);
    }

    public Lateness lateness() {
        return lateness;
    }
}
