package org.naklab.faults;

import java.util.concurrent.TimeUnit;

/** Both clocks stand still until they are moved. */
final class ManualClock implements FaultClock {
    private long monotonicNs = 5_000_000_000L;
    private long epochNs = 1_700_000_000_250_000_000L;

    void advanceMs(long ms) {
        monotonicNs += TimeUnit.MILLISECONDS.toNanos(ms);
        epochNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Override
    public long monotonicNs() {
        return monotonicNs;
    }

    @Override
    public long epochNs() {
        return epochNs;
    }
}
