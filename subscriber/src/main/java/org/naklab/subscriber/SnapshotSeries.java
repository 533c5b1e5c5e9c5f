package org.naklab.subscriber;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Sends a snapshot of every book at each boundary of a second. It never waits: a refused snapshot is offered again in a later
 * duty cycle, one that the rate limit blocked not before the transport has woken blocked senders. When the next boundary
 * comes first, the rest of the series is dropped and counted. Allocates nothing.
 */
final class SnapshotSeries {
    /** Bounds one duty cycle, so that events get their turn. */
    private static final int SEND_LIMIT = 16;

    private final OrderBooks books;
    private final ContextPublication publication;
    private final @Nullable SnapshotPacer pacer;
    private final NanoClock nanoClock;
    private final SnapshotEncoder encoder;
    private final UnsafeBuffer buffer;
    private final long intervalNs;
    private final ServiceCounters counters;

    private boolean hasBegun;
    private long interval;
    private int index;
    private int seriesLength;
    private boolean isBlocked;
    private long wakeUpsBefore;
    private volatile boolean isStopped;

    SnapshotSeries(
            OrderBooks books,
            ContextPublication publication,
            @Nullable SnapshotPacer pacer,
            NanoClock nanoClock,
            int maxLevels,
            long intervalNs,
            ServiceCounters counters) {
        this.books = books;
        this.publication = publication;
        this.pacer = pacer;
        this.nanoClock = nanoClock;
        this.encoder = new SnapshotEncoder(maxLevels);
        this.buffer = new UnsafeBuffer(new byte[SnapshotEncoder.maxLength(maxLevels)]);
        this.intervalNs = intervalNs;
        this.counters = counters;
    }

    /** One turn: begins a series when a boundary has passed, and sends what may go out. Returns the snapshots sent. */
    int doWork(long epochNs, long appliedSequence) {
        if (isStopped) {
            return 0;
        }
        long current = Math.floorDiv(epochNs, intervalNs);
        if (!hasBegun || current != interval) {
            begin(current);
        }
        if (index == seriesLength || (isBlocked && publication.wakeUps() == wakeUpsBefore)) {
            return 0;
        }
        isBlocked = false;
        int sent = 0;
        while (index < seriesLength && sent < SEND_LIMIT && sendNext(appliedSequence)) {
            sent++;
        }
        counters.snapshotsSent.lazySet(counters.snapshotsSent.getPlain() + sent);
        counters.blockedSends.lazySet(publication.blockedSends());
        return sent;
    }

    /** No snapshot more: the transport is about to close. Any thread. */
    void stop() {
        isStopped = true;
    }

    private void begin(long current) {
        interval = current;
        if (!hasBegun) {
            // The boundary before the service came up is not its own.
            hasBegun = true;
            return;
        }
        counters.snapshotsSuperseded.lazySet(counters.snapshotsSuperseded.getPlain() + seriesLength - index);
        index = 0;
        seriesLength = books.size();
    }

    private boolean sendNext(long appliedSequence) {
        long nowNs = nanoClock.nanoTime();
        if (pacer != null && !pacer.isDue(nowNs)) {
            return false;
        }
        // Encoded anew at each attempt, so that what goes out is the book as it is then.
        int length =
                encoder.encode(books.at(index), appliedSequence, interval * intervalNs, index, seriesLength, buffer);
        // Read before the offer: a wake-up between a refusal and a later reading would never be noticed.
        wakeUpsBefore = publication.wakeUps();
        SendResult result = publication.offer(buffer, 0, length);
        switch (result) {
            case SENT, QUEUED -> {
                index++;
                if (pacer != null) {
                    pacer.onSent(nowNs, length);
                }
            }
            case BLOCKED -> isBlocked = true;
            case NOT_CONNECTED -> dropUnheard();
            case CLOSED -> {
                if (!isStopped) {
                    throw new IllegalStateException("the snapshot publication is closed");
                }
            }
            case BACK_PRESSURED -> {
                // The transport's window; it opens without telling, so the next duty cycle tries again.
            }
        }
        return result.accepted();
    }

    private void dropUnheard() {
        counters.snapshotsUnheard.lazySet(counters.snapshotsUnheard.getPlain() + seriesLength - index);
        index = seriesLength;
    }
}
