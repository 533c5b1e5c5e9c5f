package org.naklab.faults.datagram;

import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.SendChannelEndpointSupplier;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.NanoClock;

/**
 * The channel endpoints of a media driver: give both suppliers to its context. Datagrams of multi-destination subscriptions are
 * out of reach, since Aeron receives those elsewhere; drivers with more than five sockets of a sort look at one only when
 * something arrives, so that a held datagram waits for that.
 */
public final class DatagramSeam {
    /** The name that plans take it by when they give none. */
    public static final String NAME = "udp";

    private static final DatagramFilter[] NOTHING = {};

    private final AtomicInteger endpoints = new AtomicInteger();
    private volatile DatagramFilter[] filters = NOTHING;

    public ReceiveChannelEndpointSupplier receiveEndpoints() {
        return (channel, dispatcher, status, context) ->
                new FaultyReceiveChannelEndpoint(channel, dispatcher, status, context, this);
    }

    /**
     * For receiving endpoints that are the caller's own, in place of {@link #receiveEndpoints}: one for each endpoint.
     */
    public ReceivingLanes receivingLanes(NanoClock clock, ReceivingLanes.Socket socket) {
        endpoints.incrementAndGet();
        return new ReceivingLanes(this, clock, socket);
    }

    public SendChannelEndpointSupplier sendEndpoints() {
        return (channel, status, context) -> {
            endpoints.incrementAndGet();
            return new FaultySendChannelEndpoint(channel, status, context, this);
        };
    }

    /** Returns the number of endpoints that were made with this seam. */
    int endpoints() {
        return endpoints.get();
    }

    synchronized void install(DatagramFilter filter) {
        filters = ArrayUtil.add(filters, filter);
    }

    synchronized void remove(DatagramFilter filter) {
        filters = ArrayUtil.remove(filters, filter);
    }

    /** A new array each time that something changes. */
    DatagramFilter[] filters() {
        return filters;
    }
}
