package org.naklab.subscriber;

import com.lmax.disruptor.EventPoller;

/** Polls the ring with handlers that throw nothing checked. */
final class RingPolling {
    private RingPolling() {}

    static void poll(EventPoller<RingSlot> poller, EventPoller.Handler<RingSlot> handler) {
        try {
            poller.poll(handler);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a handler of the ring threw what it does not declare", e);
        }
    }
}
