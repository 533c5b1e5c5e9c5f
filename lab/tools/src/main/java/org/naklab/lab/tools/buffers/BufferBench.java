package org.naklab.lab.tools.buffers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.experiment.StepListener;

/** Finds the smallest receive buffer that survives a stall, with real sockets, for each rate and length. */
public final class BufferBench {
    private static final int LARGEST_ASKED_BYTES = 1 << 30;
    private static final int MOST_WIDENINGS = 8;

    private final int datagramBytes;
    private final long bytesPerDatagram;
    private final int largestBytes;

    /**
     * Creates the bench and asks the kernel what a datagram takes of a buffer.
     *
     * @param datagramBytes UDP payload of each datagram
     * @throws LabException there is no socket, or the kernel does not say
     */
    public BufferBench(int datagramBytes) {
        this.datagramBytes = datagramBytes;
        try (StalledReceiver receiver = new StalledReceiver(LARGEST_ASKED_BYTES, datagramBytes)) {
            largestBytes = receiver.grantedBytes();
            bytesPerDatagram = receiver.bytesPerDatagram();
        } catch (IOException e) {
            throw failed(e);
        }
        if (bytesPerDatagram < datagramBytes) {
            throw new LabException("the kernel counts " + bytesPerDatagram + " B for a datagram of " + datagramBytes);
        }
    }

    /** Returns the bytes of a receive buffer that the kernel counts for one datagram: its truesize. */
    public long bytesPerDatagram() {
        return bytesPerDatagram;
    }

    /** Returns the largest buffer that the kernel grants, as it reports it, bytes. */
    public int largestBytes() {
        return largestBytes;
    }

    /**
     * Measures every stall at every rate.
     *
     * @param progress told of each point before it is measured, and what it needs
     * @throws LabException a socket failed
     */
    public List<BufferPoint> run(List<Long> ratesPerSecond, List<Long> stallsNs, StepListener progress) {
        List<BufferPoint> points = new ArrayList<>();
        for (long rate : ratesPerSecond) {
            for (long stallNs : stallsNs) {
                progress.onStep(Format.count(rate) + "/s, stall of " + Format.milliseconds(stallNs / Units.NS_PER_MS));
                BufferPoint point = point(rate, stallNs);
                progress.onResult(
                        point.measuredBytes() == 0
                                ? "more than the kernel grants"
                                : Format.bytes(point.measuredBytes()));
                points.add(point);
            }
        }
        return points;
    }

    private BufferPoint point(long rate, long stallNs) {
        int datagrams = Math.toIntExact(Math.round(rate * (stallNs / Units.NS_PER_S)));
        if (datagrams < 1) {
            throw new LabException("no datagram is sent in a stall of " + Format.milliseconds(stallNs / Units.NS_PER_MS)
                    + " at " + rate + "/s");
        }
        long arithmetic = datagrams * bytesPerDatagram;
        try {
            int lostInLargest = arithmetic > largestBytes / 2 ? lost(largestBytes, datagrams, rate) : 0;
            long measured = lostInLargest > 0 ? 0 : smallest(datagrams, rate, arithmetic);
            return new BufferPoint(rate, stallNs, datagrams, arithmetic, measured, lostInLargest);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Halves the range between a buffer that loses and one that does not, until they differ by less than a datagram. */
    private long smallest(int datagrams, long rate, long arithmetic) throws IOException {
        long losing = Math.max(bytesPerDatagram, arithmetic / 2);
        for (int i = 0; i < MOST_WIDENINGS && losing > bytesPerDatagram && lost(losing, datagrams, rate) == 0; i++) {
            losing = Math.max(bytesPerDatagram, losing / 2);
        }
        long surviving = Math.min(largestBytes, arithmetic * 2);
        for (int i = 0; lost(surviving, datagrams, rate) > 0; i++) {
            if (i == MOST_WIDENINGS || surviving == largestBytes) {
                throw new LabException("datagrams were lost in a buffer of " + Format.bytes(surviving)
                        + " that should hold them: is something else received on loopback, or dropped?");
            }
            losing = surviving;
            surviving = Math.min(largestBytes, surviving * 2);
        }
        while (surviving - losing > bytesPerDatagram / 2) {
            long middle = (losing + surviving) / 2;
            if (lost(middle, datagrams, rate) > 0) {
                losing = middle;
            } else {
                surviving = middle;
            }
        }
        return granted(surviving);
    }

    /** The kernel grants twice of what it is asked for, and never less than its minimum. */
    private int lost(long bufferBytes, int datagrams, long rate) throws IOException {
        try (StalledReceiver receiver = new StalledReceiver(Math.toIntExact(bufferBytes / 2), datagramBytes)) {
            return receiver.lostIn(datagrams, rate);
        }
    }

    private long granted(long bufferBytes) throws IOException {
        try (StalledReceiver receiver = new StalledReceiver(Math.toIntExact(bufferBytes / 2), datagramBytes)) {
            return receiver.grantedBytes();
        }
    }

    private static LabException failed(IOException e) {
        return new LabException("cannot measure receive buffers: " + e.getMessage(), e);
    }
}
