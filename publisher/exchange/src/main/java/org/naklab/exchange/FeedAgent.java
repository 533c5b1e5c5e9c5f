package org.naklab.exchange;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.pacing.Schedule;
import org.naklab.messaging.feed.OrderEvent;

/**
 * Tells what the feed thread does: reads the flow, waits until the event in hand is due, and offers it until the transport takes
 * it. Bad input ends the flow, but the trailer still says what was sent.
 */
final class FeedAgent implements Agent {
    private final String roleName;
    private final OrderFlow flow;
    private final Schedule schedule;
    private final FeedSender sender;
    private final FeedLimits limits;
    private final NanoClock clock;
    private final OrderEvent event = new OrderEvent();
    private volatile FeedState state = FeedState.WAITING;
    private volatile boolean isStartAsked;
    private volatile boolean isStopAsked;
    private volatile @Nullable RuntimeException failure;
    private boolean hasEvent;
    private long startNs;
    private long lastSentNs;
    /** When the event in hand was taken from the flow. */
    private long heldSinceNs;

    FeedAgent(
            String roleName, OrderFlow flow, Schedule schedule, FeedSender sender, FeedLimits limits, NanoClock clock) {
        this.roleName = roleName;
        this.flow = flow;
        this.schedule = schedule;
        this.sender = sender;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        return switch (state) {
            case WAITING -> awaitStart(nowNs);
            case SENDING -> sendDue(nowNs);
            case ENDING -> sendTrailer(nowNs);
            case DONE -> 0;
        };
    }

    @Override
    public String roleName() {
        return roleName;
    }

    void start() {
        isStartAsked = true;
    }

    void stop() {
        isStopAsked = true;
    }

    /** An error that the feed does not recover from. */
    void fail(RuntimeException error) {
        failure = error;
        moveTo(FeedState.DONE);
    }

    boolean isDone() {
        return state == FeedState.DONE;
    }

    @Nullable
    RuntimeException failure() {
        return failure;
    }

    private int awaitStart(long nowNs) {
        if (!isStartAsked && !isStopAsked) {
            return 0;
        }
        startNs = nowNs;
        lastSentNs = nowNs;
        schedule.begin(nowNs);
        moveTo(FeedState.SENDING);
        return 1;
    }

    private int sendDue(long nowNs) {
        int sent = 0;
        while (sent < limits.messagesPerCycle()) {
            if (isStopAsked || !(hasEvent || fetch(nowNs)) || isOver(nowNs)) {
                moveTo(FeedState.ENDING);
                return sent + 1;
            }
            if (!schedule.isDue(nowNs) || !sender.sendPrepared(schedule.dueAtNs(heldSinceNs), nowNs)) {
                break;
            }
            hasEvent = false;
            schedule.onSent(nowNs);
            sent++;
        }
        return sent > 0 ? onSent(nowNs, sent) : heartbeatIfIdle(nowNs);
    }

    private int onSent(long nowNs, int sent) {
        lastSentNs = nowNs;
        return sent;
    }

    /** Takes the next event in hand; {@code false} when there is none or enough were sent. */
    private boolean fetch(long nowNs) {
        long index = sender.published();
        if (index >= limits.maxEvents()) {
            return false;
        }
        try {
            hasEvent = flow.next(event);
        } catch (OrderFlowException e) {
            failure = e;
            return false;
        }
        if (hasEvent) {
            sender.prepare(event);
            schedule.moveTo(event, index);
            heldSinceNs = nowNs;
        }
        return hasEvent;
    }

    private boolean isOver(long nowNs) {
        return !schedule.isWithin(limits.durationNs(), nowNs) || nowNs - startNs >= limits.latestEndNs();
    }

    private int heartbeatIfIdle(long nowNs) {
        if (nowNs - lastSentNs < limits.heartbeatIntervalNs() || !sender.sendHeartbeat(nowNs)) {
            return 0;
        }
        schedule.publish();
        return onSent(nowNs, 1);
    }

    private int sendTrailer(long nowNs) {
        if (!sender.sendTrailer(nowNs)) {
            return 0;
        }
        moveTo(FeedState.DONE);
        return 1;
    }

    private void moveTo(FeedState next) {
        schedule.publish();
        state = next;
    }
}
