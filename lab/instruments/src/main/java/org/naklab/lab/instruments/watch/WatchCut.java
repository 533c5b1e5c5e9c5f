package org.naklab.lab.instruments.watch;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.ReceiverStallDetector;

/**
 * The end of a time within a watch that goes on. The instruments are asked for what they have seen until then, one after the other: the sampler and the kernel's
 * recorder, then the detector of stalls, then what hands events on. One thread.
 */
public final class WatchCut {
    private static final long ASK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long timeNs;
    private final SocketDepthInstrument sockets;
    private final @Nullable KernelInstrument kernel;
    private final ReceiverStallDetector detector;
    private final InstrumentRunner runner;
    private long askedNs;
    /** When all had come that was seen; 0: not yet. */
    private long comeNs;
    /** When all stalls had been told; 0: not yet. */
    private long toldNs;

    /** @param timeNs the end of the time, CLOCK_MONOTONIC, ns */
    WatchCut(
            long timeNs,
            SocketDepthInstrument sockets,
            @Nullable KernelInstrument kernel,
            ReceiverStallDetector detector,
            InstrumentRunner runner) {
        this.timeNs = timeNs;
        this.sockets = sockets;
        this.kernel = kernel;
        this.detector = detector;
        this.runner = runner;
        sockets.cutAfter(timeNs);
    }

    /** Returns when the sockets were sampled after the time, ns; the least value: not yet. What they do from then on is told by itself. */
    public long cutNs() {
        long lastNs = sockets.cutNs();
        return lastNs >= timeNs ? lastNs : Long.MIN_VALUE;
    }

    /**
     * Returns whether all that was seen until the time has been handed to the listener and the consumers; asks for it otherwise. A stall whose reason is not known yet
     * is waited for as long as its reason may come.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public boolean isTold(long nowNs) {
        if (comeNs == 0) {
            if (cutNs() != Long.MIN_VALUE && isRecorded(nowNs)) {
                comeNs = nowNs;
            }
            return false;
        }
        if (toldNs == 0) {
            if (detector.isTold(timeNs, comeNs)) {
                toldNs = nowNs;
            } else if (isTimeToAsk(nowNs)) {
                runner.refreshSoon();
            }
            return false;
        }
        return runner.deliveredNs() > toldNs;
    }

    private boolean isRecorded(long nowNs) {
        KernelInstrument recorder = kernel;
        if (recorder == null || recorder.recordedNs(nowNs) >= timeNs) {
            return true;
        }
        if (isTimeToAsk(nowNs)) {
            recorder.tell();
        }
        return false;
    }

    private boolean isTimeToAsk(long nowNs) {
        boolean isTime = nowNs - askedNs >= ASK_PERIOD_NS;
        askedNs = isTime ? nowNs : askedNs;
        return isTime;
    }
}
