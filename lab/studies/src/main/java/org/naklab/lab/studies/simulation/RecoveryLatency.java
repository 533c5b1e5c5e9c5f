package org.naklab.lab.studies.simulation;

import org.HdrHistogram.Histogram;
import org.naklab.lab.core.Units;

/**
 * The times from the moment at which a receiver could see that a datagram is missing to its arrival.
 *
 * @param count repaired datagrams, at each receiver counted
 * @param p50Us median, µs; all are 0 if nothing was repaired
 */
public record RecoveryLatency(long count, double p50Us, double p90Us, double p99Us, double p999Us, double maxUs) {
    /** Summarizes a histogram in microseconds. */
    public static RecoveryLatency of(Histogram us) {
        return new RecoveryLatency(
                us.getTotalCount(),
                us.getValueAtPercentile(50),
                us.getValueAtPercentile(90),
                us.getValueAtPercentile(99),
                us.getValueAtPercentile(99.9),
                us.getMaxValue());
    }

    /** Summarizes a histogram in nanoseconds. */
    public static RecoveryLatency ofNs(Histogram ns) {
        return new RecoveryLatency(
                ns.getTotalCount(),
                ns.getValueAtPercentile(50) / Units.NS_PER_US,
                ns.getValueAtPercentile(90) / Units.NS_PER_US,
                ns.getValueAtPercentile(99) / Units.NS_PER_US,
                ns.getValueAtPercentile(99.9) / Units.NS_PER_US,
                ns.getMaxValue() / Units.NS_PER_US);
    }
}
