package org.naklab.lab.detect;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Times every callback: the transport's own maximum says that one was slow, this says which and how all the others were. Within a
 * duty cycle, callbacks follow each other without a gap, so that one's end is the next one's beginning: a look at the clock costs more than
 * everything else that is done here. For the same reason the handler may take a callback's beginning for the time of its message's
 * receipt. The handler's thread writes; {@link #takeHistogram} may be called from another.
 */
public final class TimedFragmentHandler implements ControlledFragmentHandler {
    private static final long UNKNOWN_CYCLE = -1;

    private final ControlledFragmentHandler delegate;
    private final NanoClock clock;
    private final @Nullable Heartbeat heartbeat;
    private final CachedNanoClock receiptClock;
    private final CallbackTimes times = new CallbackTimes();
    private long cycle = UNKNOWN_CYCLE;
    private long lastEndNs;
    private volatile long maxNs;
    private volatile long maxAtNs;

    /**
     * Times the delegate.
     *
     * @param heartbeat also told of each callback; tells the duty cycles apart. Without one each callback's beginning is read as well
     * @param receiptClock shows when the callback began; set before each, for the delegate to read
     */
    public TimedFragmentHandler(
            ControlledFragmentHandler delegate,
            NanoClock clock,
            @Nullable Heartbeat heartbeat,
            CachedNanoClock receiptClock) {
        this.delegate = delegate;
        this.clock = clock;
        this.heartbeat = heartbeat;
        this.receiptClock = receiptClock;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long beginNs = beginNs();
        receiptClock.update(beginNs);
        Action action = delegate.onFragment(buffer, offset, length, header);
        long endNs = clock.nanoTime();
        lastEndNs = endNs;
        times.record(endNs - beginNs);
        if (endNs - beginNs > maxNs) {
            maxAtNs = beginNs;
            maxNs = endNs - beginNs;
        }
        if (heartbeat != null) {
            heartbeat.callback(beginNs, endNs);
        }
        return action;
    }

    /** Times since this was last asked, in nanoseconds. One thread at a time. */
    public Histogram takeHistogram() {
        return times.takeHistogram();
    }

    /** The longest callback so far. */
    public long maxNs() {
        return maxNs;
    }

    /** When the longest callback began. */
    public long maxAtNs() {
        return maxAtNs;
    }

    private long beginNs() {
        long now = heartbeat == null ? UNKNOWN_CYCLE : heartbeat.beats();
        if (now == cycle && now != UNKNOWN_CYCLE) {
            return lastEndNs;
        }
        cycle = now;
        return clock.nanoTime();
    }
}
