package org.naklab.lab.containers.relay;

import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A frame on its way through a relay. */
final class DelayedFrame implements Delayed {
    private final byte[] frame;
    private final long index;
    private final long arrivedNs;
    private final long dueNs;
    private final boolean isHeldBack;

    /**
     * Times are by {@link System#nanoTime()}.
     *
     * @param index in order of arrival; copies share it
     */
    DelayedFrame(byte[] frame, long index, long arrivedNs, long dueNs, boolean isHeldBack) {
        this.frame = frame;
        this.index = index;
        this.arrivedNs = arrivedNs;
        this.dueNs = dueNs;
        this.isHeldBack = isHeldBack;
    }

    byte[] frame() {
        return frame;
    }

    long index() {
        return index;
    }

    long arrivedNs() {
        return arrivedNs;
    }

    long dueNs() {
        return dueNs;
    }

    boolean isHeldBack() {
        return isHeldBack;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        DelayedFrame that = (DelayedFrame) other;
        int byTime = Long.signum(dueNs - that.dueNs);
        return byTime == 0 ? Long.compare(index, that.index) : byTime;
    }
}
