package org.naklab.lab.detect;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Times every callback: the transport's own maximum says that one was slow, this says which and how all the others were. The
 * handler's thread writes; {@link #takeHistogram} may be called from another.
 */
public final class TimedFragmentHandler implements ControlledFragmentHandler {
    private static final int SIGNIFICANT_DIGITS = 2;
    private static final long HIGHEST_NS = 60_000_000_000L;

    private final ControlledFragmentHandler delegate;
    private final NanoClock clock;
    private final @Nullable Heartbeat heartbeat;
    private final SingleWriterRecorder recorder = new SingleWriterRecorder(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private volatile long maxNs;
    private volatile long maxAtNs;

    /** @param heartbeat also told of each callback, if any */
    public TimedFragmentHandler(ControlledFragmentHandler delegate, NanoClock clock, @Nullable Heartbeat heartbeat) {
        this.delegate = delegate;
        this.clock = clock;
        this.heartbeat = heartbeat;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long beginNs = clock.nanoTime();
        Action action = delegate.onFragment(buffer, offset, length, header);
        long endNs = clock.nanoTime();
        recorder.recordValue(Math.min(endNs - beginNs, HIGHEST_NS));
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
        return recorder.getIntervalHistogram();
    }

    /** The longest callback so far. */
    public long maxNs() {
        return maxNs;
    }

    /** When the longest callback began. */
    public long maxAtNs() {
        return maxAtNs;
    }
}
