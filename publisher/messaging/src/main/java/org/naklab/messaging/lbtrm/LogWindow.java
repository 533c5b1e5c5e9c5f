package org.naklab.messaging.lbtrm;

import io.aeron.driver.CongestionControl;
import java.net.InetSocketAddress;

/**
 * A receiver's window of half a term, whatever the socket's buffer: it holds what came after a gap until the gap is
 * repaired. Aeron's own window may not exceed SO_RCVBUF, because there the window must keep the sender from flooding it.
 */
public final class LogWindow implements CongestionControl {
    private final int windowBytes;

    public LogWindow(int termBytes) {
        windowBytes = termBytes / 2;
    }

    @Override
    public boolean shouldMeasureRtt(long nowNs) {
        return false;
    }

    @Override
    public void onRttMeasurementSent(long nowNs) {}

    @Override
    public void onRttMeasurement(long nowNs, long rttNs, InetSocketAddress srcAddress) {}

    @Override
    public long onTrackRebuild(
            long nowNs,
            long newConsumptionPosition,
            long lastSmPosition,
            long hwmPosition,
            long startingRebuildPosition,
            long endingRebuildPosition,
            boolean lossOccurred) {
        return CongestionControl.packOutcome(windowBytes, false);
    }

    @Override
    public int initialWindowLength() {
        return windowBytes;
    }

    @Override
    public int maxWindowLength() {
        return windowBytes;
    }

    @Override
    public void close() {}
}
