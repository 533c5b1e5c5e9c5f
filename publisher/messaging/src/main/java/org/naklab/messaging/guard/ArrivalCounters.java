package org.naklab.messaging.guard;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * Shows the counts of an {@link ArrivalOrder} among the driver's counters, where any process can read them.
 *
 * <pre>
 * key: 0 streamId:32  4 UDP port:32
 * </pre>
 */
public final class ArrivalCounters implements AutoCloseable {
    /** Type of the counter of datagrams that later ones overtook; Aeron's own types are below 10,000. */
    public static final int OVERTAKEN_TYPE_ID = 20_471;
    /** Type of the counter of datagrams that came in again. */
    public static final int REPEATED_TYPE_ID = 20_472;
    /** Type of the counter of the longest delay, ns. */
    public static final int LONGEST_DELAY_TYPE_ID = 20_473;

    private final ArrivalOrder order;
    private final AtomicCounter overtaken;
    private final AtomicCounter repeated;
    private final AtomicCounter longestDelayNs;

    /** Allocates the counters; on the thread of the driver's conductor. */
    public ArrivalCounters(ArrivalOrder order, CountersManager counters, int streamId, int port) {
        this.order = order;
        String where = ": stream " + streamId + " port " + port;
        overtaken = counters.newCounter(
                "naklab datagrams overtaken" + where, OVERTAKEN_TYPE_ID, key -> put(key, streamId, port));
        repeated = counters.newCounter(
                "naklab datagrams repeated" + where, REPEATED_TYPE_ID, key -> put(key, streamId, port));
        longestDelayNs = counters.newCounter(
                "naklab longest delay ns" + where, LONGEST_DELAY_TYPE_ID, key -> put(key, streamId, port));
    }

    private static void put(MutableDirectBuffer key, int streamId, int port) {
        key.putInt(0, streamId);
        key.putInt(Integer.BYTES, port);
    }

    /** Copies the counts; on the thread that calls the order. */
    void update() {
        overtaken.setOrdered(order.overtaken());
        repeated.setOrdered(order.repeated());
        longestDelayNs.setOrdered(order.longestDelayNs());
    }

    @Override
    public void close() {
        overtaken.close();
        repeated.close();
        longestDelayNs.close();
    }
}
