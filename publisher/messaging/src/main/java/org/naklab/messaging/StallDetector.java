package org.naklab.messaging;

/** Measures the context's duty cycles, and the gaps between them, in which the idle strategy waits. */
final class StallDetector {
    private final long thresholdNs;
    private final ContextListener listener;
    private long beginNs;
    private long endNs;
    private boolean isFirst = true;

    StallDetector(long thresholdNs, ContextListener listener) {
        this.thresholdNs = thresholdNs;
        this.listener = listener;
    }

    void onCycleBegin(long nowNs) {
        if (!isFirst && nowNs - endNs >= thresholdNs) {
            listener.onStall(endNs, nowNs);
        }
        isFirst = false;
        beginNs = nowNs;
    }

    void onCycleEnd(long nowNs) {
        if (nowNs - beginNs >= thresholdNs) {
            listener.onStall(beginNs, nowNs);
        }
        endNs = nowNs;
    }
}
