package org.naklab.lab.instruments.threads;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * Times every callback: the transport's own maximum says that one was slow, this says which and how all the others were. Callbacks of one
 * poll follow each other without a gap, so that one's beginning is the end of the one before, and the last one ends when
 * {@link DutyCycleTracker#callbacksEnd} says so: a look at the clock costs more than everything else that is done here. For the same reason the
 * handler may take a callback's beginning for the time of its message's receipt. One thread.
 */
public final class TimedFragmentHandler implements ControlledFragmentHandler {
    private final ControlledFragmentHandler delegate;
    private final NanoClock clock;
    private final DutyCycleTracker heartbeat;
    private final CachedNanoClock receiptClock;

    /**
     * Times the delegate.
     *
     * @param heartbeat told of each callback, and by another of the end of each poll
     * @param receiptClock shows when the callback began; set before each, for the delegate to read
     */
    public TimedFragmentHandler(
            ControlledFragmentHandler delegate,
            NanoClock clock,
            DutyCycleTracker heartbeat,
            CachedNanoClock receiptClock) {
        this.delegate = delegate;
        this.clock = clock;
        this.heartbeat = heartbeat;
        this.receiptClock = receiptClock;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long beginNs = clock.nanoTime();
        heartbeat.callbackBegins(beginNs);
        receiptClock.update(beginNs);
        return delegate.onFragment(buffer, offset, length, header);
    }
}
