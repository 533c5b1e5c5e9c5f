package org.naklab.lab.instruments.aeron;

/**
 * Follows a receiver's gaps by its counters: NAKs sent, the position up to which the stream is whole, and the highest position
 * received. Aeron scans for gaps from the whole position on and NAKs the first one it finds there, so:
 *
 * <ul>
 *   <li>a NAK opens the repair of everything up to the highest position received by then;
 *   <li>the next advance of the whole position means that a retransmission has filled the gap at its front;
 *   <li>the gap is repaired when the whole position reaches what was highest at the last NAK.
 * </ul>
 *
 * A gap that is not repaired 10 s after its last NAK (LBT-RM's NAK generation interval) is given up. Allocation-free.
 */
final class GapDetector {
    static final long GIVE_UP_NS = 10_000_000_000L;

    private long lastNaks;
    private long lastWhole;
    private long repairedAt;
    private long firstNakNs;
    private long lastNakNs;
    private boolean open;
    private boolean advanced;

    /** The result of a sample. */
    enum Signal {
        NOTHING,
        ADVANCED,
        REPAIRED,
        GIVEN_UP
    }

    GapDetector(long naks, long wholePosition) {
        lastNaks = naks;
        lastWhole = wholePosition;
    }

    /** Returns the NAKs sent since the last sample; to be called before {@link #update}. */
    long newNaks(long naks) {
        return naks - lastNaks;
    }

    Signal update(long nowNs, long naks, long wholePosition, long highestPosition) {
        boolean progress = wholePosition > lastWhole;
        if (naks > lastNaks) {
            firstNakNs = open ? firstNakNs : nowNs;
            advanced = open && advanced;
            open = true;
            lastNakNs = nowNs;
            repairedAt = highestPosition;
        }
        lastNaks = naks;
        lastWhole = wholePosition;
        if (!open) {
            return Signal.NOTHING;
        }
        if (wholePosition >= repairedAt) {
            open = false;
            return Signal.REPAIRED;
        }
        if (nowNs - lastNakNs >= GIVE_UP_NS) {
            open = false;
            return Signal.GIVEN_UP;
        }
        if (progress && !advanced && nowNs != lastNakNs) {
            advanced = true;
            return Signal.ADVANCED;
        }
        return Signal.NOTHING;
    }

    boolean isOpen() {
        return open;
    }

    /** Returns whether progress in the repair of the gap was observed. */
    boolean hasAdvanced() {
        return advanced;
    }

    /** Returns the time of the first NAK of the gap that is open or was open last, ns. */
    long firstNakNs() {
        return firstNakNs;
    }
}
