package org.naklab.lab.replica.customers;

import org.naklab.lab.core.Units;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.messaging.latency.LatencyHistogram;
import org.naklab.subscriber.clients.DayClock;

/** Tells how late the customers of one server have what they read. Times of the wire are of the clock of the server. Of the thread of all customers. */
final class ClientLatency {
    private final LatencyHistogram orders = new LatencyHistogram();
    private final LatencyHistogram quotes = new LatencyHistogram();
    private final DayClock clock;
    private final long warmUpNs;
    private boolean hasBegun;
    private long countedFromNs;
    private long latestDueNs;

    ClientLatency(DayClock clock, long warmUpNs) {
        this.clock = clock;
        this.warmUpNs = warmUpNs;
    }

    /**
     * Takes an event that a customer has now.
     *
     * @param timeNs on the wire
     * @return when it was due, CLOCK_MONOTONIC
     */
    long onOrder(long timeNs, long nowNs) {
        long dueNs = nowNs - clock.ageNs(timeNs, nowNs);
        if (!hasBegun) {
            hasBegun = true;
            countedFromNs = dueNs + warmUpNs;
        }
        latestDueNs = dueNs;
        if (dueNs - countedFromNs >= 0) {
            orders.record(Math.max(0, nowNs - dueNs));
        }
        return dueNs;
    }

    /** Takes best prices that a customer has now. */
    void onQuote(long timeNs) {
        long nowNs = System.nanoTime();
        long dueNs = nowNs - clock.ageNs(timeNs, nowNs);
        if (hasBegun && dueNs - countedFromNs >= 0) {
            quotes.record(Math.max(0, nowNs - dueNs));
        }
    }

    /** Returns the end of the warm-up; to be asked after the first event. */
    long countedFromNs() {
        return countedFromNs;
    }

    /** Returns how long ago the latest event was due, ns; -1 before the first. */
    long ageNs(long nowNs) {
        return hasBegun ? Math.max(0, nowNs - latestDueNs) : -1;
    }

    LatencyRecord.Hop orders() {
        return hop(orders);
    }

    LatencyRecord.Hop quotes() {
        return hop(quotes);
    }

    private static LatencyRecord.Hop hop(LatencyHistogram latencies) {
        return new LatencyRecord.Hop(
                latencies.count(),
                latencies.valueNs(50) / Units.NS_PER_US,
                latencies.valueNs(99) / Units.NS_PER_US,
                latencies.valueNs(99.9) / Units.NS_PER_US,
                latencies.maxNs() / Units.NS_PER_US);
    }
}
