package org.naklab.messaging.publication;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * LBT-RM's rate controller. Each interval has a budget of bytes as they are on the wire. The first message over the budget
 * is queued and its sender told so; later ones are refused and counted. When the interval ends, the context's thread
 * refills the budget, sends the queued message (on the new budget) and wakes the blocked senders, under the lock that
 * senders take. When that lock is held it yields once and tries again in its next duty cycle.
 *
 * <p>An interval in which the limit was not hit ends without the lock, so a sender that is merely busy makes nobody yield.
 *
 * <p>Source: Informatica Ultra Messaging, "Transport Rate Controls", and the stack in INCIDENT.md.
 */
public final class RateController implements ManagedPublication {
    private static final int NOTHING_QUEUED = -1;

    private final DatagramSink sink;
    private final int maxPayloadLength;
    private final long budgetBytes;
    private final long intervalNs;
    private final Lock lock;
    private final NanoClock clock;
    private final YieldStrategy yieldStrategy;
    private final RateListener listener;
    private final UnsafeBuffer queued;
    private final AtomicLong blockedSends = new AtomicLong();
    private final AtomicLong wakeUps = new AtomicLong();

    /** Intervals begun; written by the context's thread, read by senders to learn that the budget is new. */
    private volatile long interval;
    /** Length of the queued message; written under the lock. */
    private volatile int queuedLength = NOTHING_QUEUED;

    // Guarded by the lock.
    private long spentInterval;
    private long spentBytes;
    private long blockedInInterval;
    private boolean isClosed;

    // The context thread's own.
    private long deadlineNs;
    /** A message of the interval before was queued while that ended. */
    private boolean isOverdue;

    public RateController(
            DatagramSink sink,
            int maxPayloadLength,
            RateLimit limit,
            Lock lock,
            NanoClock clock,
            YieldStrategy yieldStrategy,
            RateListener listener) {
        this.sink = sink;
        this.maxPayloadLength = maxPayloadLength;
        this.budgetBytes = limit.budgetBytes();
        this.intervalNs = limit.intervalNs();
        this.lock = lock;
        this.clock = clock;
        this.yieldStrategy = yieldStrategy;
        this.listener = listener;
        this.queued = new UnsafeBuffer(new byte[maxPayloadLength]);
        this.deadlineNs = clock.nanoTime() + intervalNs;
    }

    @Override
    public SendResult offer(DirectBuffer buffer, int offset, int length) {
        MessageLength.requireFits(length, maxPayloadLength);
        SendResult result;
        lock.lock();
        try {
            result = offerLocked(buffer, offset, length);
        } finally {
            lock.unlock();
        }
        if (result == SendResult.QUEUED) {
            listener.onRateLimitHit(clock.nanoTime());
        }
        return result;
    }

    @Override
    public int poll(long nowNs) {
        boolean isOver = nowNs - deadlineNs >= 0;
        if (!isOver && !isOverdue) {
            return 0;
        }
        if (queuedLength == NOTHING_QUEUED) {
            if (isOver) {
                beginInterval(nowNs);
            }
            // Looked at again, because a sender that saw the old interval may have queued its message just now: without
            // that it would wait for the end of the new one. The next duty cycle sends it.
            isOverdue = queuedLength != NOTHING_QUEUED;
            return 1;
        }
        if (lock.tryLock()) {
            boolean isWoken;
            try {
                isWoken = wakeUpLocked(nowNs);
            } finally {
                lock.unlock();
            }
            return isWoken ? 1 : 0;
        }
        // Once a duty cycle and not in a loop here: receipt must go on between two attempts.
        listener.onWakeFailed(clock.nanoTime());
        long beginNs = clock.nanoTime();
        yieldStrategy.yieldOnce();
        listener.onYielded(beginNs, clock.nanoTime());
        return 1;
    }

    @Override
    public boolean disconnect() {
        lock.lock();
        try {
            isClosed = true;
            if (queuedLength == NOTHING_QUEUED) {
                return true;
            }
            boolean isSent = sendQueued();
            if (isSent) {
                wakeSenders();
            }
            return isSent;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return sink.isConnected();
    }

    @Override
    public long blockedSends() {
        return blockedSends.get();
    }

    @Override
    public long wakeUps() {
        return wakeUps.get();
    }

    @Override
    public int maxPayloadLength() {
        return maxPayloadLength;
    }

    private SendResult offerLocked(DirectBuffer buffer, int offset, int length) {
        if (isClosed) {
            return SendResult.CLOSED;
        }
        if (queuedLength != NOTHING_QUEUED) {
            blockedInInterval++;
            blockedSends.incrementAndGet();
            return SendResult.BLOCKED;
        }
        refillIfIntervalBegan();
        int wireBytes = DatagramSink.wireBytes(length);
        if (spentBytes + wireBytes <= budgetBytes) {
            SendResult result = sink.send(buffer, offset, length);
            if (result == SendResult.SENT) {
                spentBytes += wireBytes;
            }
            return result;
        }
        if (!sink.isConnected()) {
            return SendResult.NOT_CONNECTED;
        }
        queued.putBytes(0, buffer, offset, length);
        queuedLength = length;
        if (interval == spentInterval) {
            return SendResult.QUEUED;
        }
        // The interval ended meanwhile, and the context's thread may not have seen the message: it is not over the
        // budget.
        queuedLength = NOTHING_QUEUED;
        return offerLocked(buffer, offset, length);
    }

    private boolean wakeUpLocked(long nowNs) {
        if (queuedLength == NOTHING_QUEUED) {
            // Its sender has seen the new interval and taken the message back.
            isOverdue = false;
            return false;
        }
        int wireBytes = DatagramSink.wireBytes(queuedLength);
        if (!sendQueued()) {
            return false;
        }
        isOverdue = false;
        if (nowNs - deadlineNs >= 0) {
            beginInterval(nowNs);
        }
        spentInterval = interval;
        spentBytes = wireBytes;
        wakeSenders();
        return true;
    }

    private void wakeSenders() {
        wakeUps.incrementAndGet();
        listener.onWakeUp(clock.nanoTime(), blockedInInterval);
        blockedInInterval = 0;
    }

    private boolean sendQueued() {
        SendResult result = sink.send(queued, 0, queuedLength);
        if (result == SendResult.SENT) {
            queuedLength = NOTHING_QUEUED;
            return true;
        }
        if (result == SendResult.CLOSED) {
            isClosed = true;
            queuedLength = NOTHING_QUEUED;
            throw new IllegalStateException(
                    "a queued message is lost: its publication closed before the interval ended");
        }
        return false;
    }

    private void refillIfIntervalBegan() {
        long current = interval;
        if (current != spentInterval) {
            spentInterval = current;
            spentBytes = 0;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the context's thread
    private void beginInterval(long nowNs) {
        interval++;
        long missedIntervals = (nowNs - deadlineNs) / intervalNs;
        deadlineNs += (missedIntervals + 1) * intervalNs;
    }
}
