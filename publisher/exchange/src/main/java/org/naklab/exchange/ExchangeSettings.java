package org.naklab.exchange;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.messaging.Backoff;

/** The part of a {@link MockExchange.Context} that has defaults: bounds, pacing in small, clock and idling. */
abstract class ExchangeSettings<T extends ExchangeSettings<T>> {
    /** Grace for a schedule that slipped, or for a rate limit below the pacer's rate: this and a tenth. */
    private static final long MIN_OVERTIME_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_DURATION_NS = TimeUnit.DAYS.toNanos(365);

    private static final long MAX_CATCH_UP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long HEARTBEAT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MESSAGES_PER_CYCLE = 32;

    private long maxEvents = Long.MAX_VALUE;
    private long durationNs = Long.MAX_VALUE;
    private long maxCatchUpNs = MAX_CATCH_UP_NS;
    private long heartbeatIntervalNs = HEARTBEAT_INTERVAL_NS;
    private int messagesPerCycle = MESSAGES_PER_CYCLE;
    private boolean isDatagramPerMessage;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private IdleStrategy idleStrategy = Backoff.newStrategy();

    abstract T self();

    /** Events after which the feed ends; default: when the flow ends. */
    public T maxEvents(long count) {
        this.maxEvents = requirePositive(count, "events");
        return self();
    }

    public long maxEvents() {
        return maxEvents;
    }

    /**
     * Length of the schedule: the feed sends every event whose place in the pacer's schedule is before it, so that a constant
     * rate gives rate × duration messages. It ends a tenth and one second later at the latest, however far it got. Default:
     * no bound.
     */
    public T durationNs(long ns) {
        this.durationNs = requirePositive(ns, "duration");
        return self();
    }

    public long durationNs() {
        return durationNs;
    }

    /** Returns how much of a delay may be caught up by sending without pause; the schedule is moved back by the rest. 20 ms. */
    public T maxCatchUpNs(long ns) {
        this.maxCatchUpNs = requirePositive(ns, "catch-up time");
        return self();
    }

    public long maxCatchUpNs() {
        return maxCatchUpNs;
    }

    /** Silence after which a heartbeat is sent; 100 ms. */
    public T heartbeatIntervalNs(long ns) {
        this.heartbeatIntervalNs = requirePositive(ns, "heartbeat interval");
        return self();
    }

    public long heartbeatIntervalNs() {
        return heartbeatIntervalNs;
    }

    /** Messages that the feed thread sends in one duty cycle at most; 32. */
    public T messagesPerCycle(int count) {
        this.messagesPerCycle = (int) requirePositive(count, "messages per cycle");
        return self();
    }

    public int messagesPerCycle() {
        return messagesPerCycle;
    }

    /**
     * Gives each message a datagram of its own, by datagrams that have room for one message only. By default what waits
     * when the context's thread comes round travels together.
     */
    public T datagramPerMessage(boolean isWanted) {
        this.isDatagramPerMessage = isWanted;
        return self();
    }

    public boolean datagramPerMessage() {
        return isDatagramPerMessage;
    }

    /** The feed's clock. */
    public T nanoClock(NanoClock clock) {
        this.nanoClock = requireNonNull(clock);
        return self();
    }

    public NanoClock nanoClock() {
        return nanoClock;
    }

    /** Returns what the feed thread does when nothing is due; by default it backs off to parks of 50 µs. */
    public T idleStrategy(IdleStrategy strategy) {
        this.idleStrategy = requireNonNull(strategy);
        return self();
    }

    public IdleStrategy idleStrategy() {
        return idleStrategy;
    }

    FeedLimits limits() {
        long latestEndNs =
                durationNs > LONGEST_DURATION_NS ? Long.MAX_VALUE : durationNs + durationNs / 10 + MIN_OVERTIME_NS;
        return new FeedLimits(maxEvents, durationNs, latestEndNs, messagesPerCycle, heartbeatIntervalNs);
    }

    private static long requirePositive(long value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
        return value;
    }
}
