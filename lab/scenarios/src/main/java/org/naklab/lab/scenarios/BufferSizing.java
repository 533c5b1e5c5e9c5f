package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.HeadedLine;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;

/**
 * Rate and receive buffer such that a stall of a given length overflows the buffer, or, with the remedy bigger-buffer, just
 * fits. Both at the same rate, so that runs with different remedies can be compared.
 *
 * @param stallNs wanted length of the stall
 * @param eventsPerSecond of the order flow; each event travels in a datagram of its own
 * @param kernel what a datagram takes of a buffer on this machine
 * @param askedBytes SO_RCVBUF to ask for
 */
public record BufferSizing(long stallNs, long eventsPerSecond, SocketBufferCalibration kernel, int askedBytes) {
    /** The flow without a wish: busy, but no strain on two cores that others use too. */
    public static final long PREFERRED_EVENTS_PER_SECOND = 5_000;
    /** A bigger buffer must hold this much more than the stall brings: Linux frees in batches of up to a quarter. */
    private static final double FIT_MARGIN = 1.5;
    /** A buffer that shall overflow holds the stall's datagrams divided by this. */
    private static final int OVERFLOW_FACTOR = 2;
    /** Minimum number of datagrams in a stall; with fewer, an overflowing buffer would be too small for a flow without a stall. */
    private static final long MIN_STALL_DATAGRAMS = 64;

    /** At the preferred rate, or slower where the largest buffer of this kernel would not hold the stall. */
    public static long chooseRate(long stallNs, SocketBufferCalibration kernel) {
        long fitting = mostEventsPerSecond(stallNs, kernel);
        long rounded = fitting >= 1_000 ? fitting / 100 * 100 : fitting;
        return Math.min(PREFERRED_EVENTS_PER_SECOND, rounded);
    }

    /** The profile's own buffer, or a smaller one: one that the stall fills {@value OVERFLOW_FACTOR} times. */
    public static BufferSizing choose(
            long stallNs, long eventsPerSecond, SocketBufferCalibration kernel, boolean bigger) {
        long datagrams = datagramsIn(stallNs, eventsPerSecond);
        if (datagrams < MIN_STALL_DATAGRAMS) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "at %s events/s a stall of %s is only %d datagrams, too few to overflow a working buffer: "
                            + "--rate at least %s",
                    Format.count(eventsPerSecond),
                    Format.milliseconds(stallNs / Units.NS_PER_MS),
                    datagrams,
                    Format.count((long) Math.ceil(MIN_STALL_DATAGRAMS / (stallNs / Units.NS_PER_S)))));
        }
        if (bigger && eventsPerSecond > mostEventsPerSecond(stallNs, kernel)) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "the largest buffer that this kernel grants (%s) does not hold a stall of %s at %s events/s: "
                            + "--rate at most %s, or raise net.core.rmem_max",
                    Format.bytes(kernel.maxGrantedBytes()),
                    Format.milliseconds(stallNs / Units.NS_PER_MS),
                    Format.count(eventsPerSecond),
                    Format.count(mostEventsPerSecond(stallNs, kernel))));
        }
        long overflownBytes = datagrams * kernel.bytesPerDatagram() / OVERFLOW_FACTOR;
        long grantedBytes = bigger ? kernel.maxGrantedBytes() : Math.min(kernel.maxGrantedBytes(), overflownBytes);
        return new BufferSizing(
                stallNs, eventsPerSecond, kernel, Math.toIntExact(grantedBytes / kernel.grantedPerAsked()));
    }

    /** The shortest stall for which a buffer that it overflows holds a flow without a stall. */
    public static long leastStallNs(long eventsPerSecond) {
        return (long) Math.ceil(MIN_STALL_DATAGRAMS * Units.NS_PER_S / eventsPerSecond);
    }

    private static long mostEventsPerSecond(long stallNs, SocketBufferCalibration kernel) {
        double datagrams = kernel.maxGrantedBytes() / FIT_MARGIN / kernel.bytesPerDatagram();
        return (long) (datagrams * Units.NS_PER_S / stallNs);
    }

    private static long datagramsIn(long stallNs, long eventsPerSecond) {
        return Math.round(eventsPerSecond * (stallNs / Units.NS_PER_S));
    }

    /** Datagrams that arrive during the stall. */
    @JsonProperty
    public long stallDatagrams() {
        return datagramsIn(stallNs, eventsPerSecond);
    }

    /** Their payload. */
    @JsonProperty
    public long stallPayloadBytes() {
        return stallDatagrams() * kernel.datagramBytes();
    }

    /** Returns the bytes that the kernel accounts for them. */
    @JsonProperty
    public long stallBufferBytes() {
        return stallDatagrams() * kernel.bytesPerDatagram();
    }

    /** The buffer as the kernel will report it. */
    @JsonProperty
    public long expectedGrantedBytes() {
        return (long) askedBytes * kernel.grantedPerAsked();
    }

    /** Returns the share of the stall that a buffer holds; below 1 it overflows. */
    public double heldBy(long grantedBytes) {
        return (double) grantedBytes / stallBufferBytes();
    }

    /** Returns the time after which a buffer is full, ms. */
    public double heldMs(long grantedBytes) {
        return stallNs / Units.NS_PER_MS * heldBy(grantedBytes);
    }

    /** Returns the sum, for people. */
    public List<HeadedLine> lines() {
        double held = heldBy(expectedGrantedBytes());
        return List.of(
                line(
                        "a datagram",
                        "%d B of payload, %d B by the kernel's accounting (measured: %s held %d)",
                        kernel.datagramBytes(),
                        kernel.bytesPerDatagram(),
                        Format.bytes(kernel.calibrationBytes()),
                        kernel.capacityDatagrams()),
                line(
                        "sized for",
                        "a stall of %s at %s events/s: %s datagrams, %s of payload, %s of receive buffer",
                        Format.milliseconds(stallNs / Units.NS_PER_MS),
                        Format.count(eventsPerSecond),
                        Format.count(stallDatagrams()),
                        Format.bytes(stallPayloadBytes()),
                        Format.bytes(stallBufferBytes())),
                line(
                        "the buffer",
                        "%s (SO_RCVBUF %s) holds %.0f %% of that: %s",
                        Format.bytes(expectedGrantedBytes()),
                        Format.bytes(askedBytes),
                        held * 100,
                        held < 1
                                ? "it would overflow after " + Format.milliseconds(heldMs(expectedGrantedBytes()))
                                : "it would not overflow"));
    }

    private static HeadedLine line(String head, String format, Object... figures) {
        return new HeadedLine(head, String.format(Locale.ROOT, format, figures));
    }
}
