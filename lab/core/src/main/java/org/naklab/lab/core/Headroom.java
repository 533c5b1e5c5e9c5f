package org.naklab.lab.core;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.Locale;

/**
 * Tells how long the receive buffer of a socket lasts while its reader stands still, and how long the reader has stood still so far. All sizes
 * are receive memory as the kernel counts it (the truesize of the datagrams), because that is what it compares with the limit of the buffer.
 *
 * <p>A figure that is not known is {@link #UNKNOWN}.
 *
 * @param basis what the arrival rate was taken from
 * @param arrivalBytesPerSecond of the growth that is in the middle of the last ten seconds' growths by rate: bytes of receive memory per second
 * @param rateWindowMs length of the growth from which the rate was taken, ms
 * @param headroomMs time from an empty buffer to the first dropped datagram at that rate, ms
 * @param longestStallMs longest time in which the reader took nothing while datagrams arrived, ms; 0 if there was none of 5 ms or more
 * @param overflowAfterMs of the last overflow: from the beginning of the stall to the first dropped datagram, ms
 * @param overflowPredictedMs of the last overflow: the same time as predicted when the buffer was half full, ms
 * @param seenAgoMs how long before these figures the last growth ended, ms; 0: it lasts, none was seen, or an earlier version wrote the record
 */
public record Headroom(
        Basis basis,
        long arrivalBytesPerSecond,
        double rateWindowMs,
        double headroomMs,
        double longestStallMs,
        double overflowAfterMs,
        double overflowPredictedMs,
        double seenAgoMs) {
    /** Growths of the last ten seconds tell the present, ms. */
    public static final double PRESENT_MS = 10_000;

    /** A figure that is not known. */
    public static final int UNKNOWN = -1;

    /** The headroom of a socket of which nothing is known. */
    public static final Headroom NONE =
            new Headroom(Basis.UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0);

    /** Orders by how much there is to fear: measured before estimated, least headroom first, unknown last. */
    public static final Comparator<Headroom> LEAST_FIRST =
            Comparator.comparing(Headroom::basis).thenComparingDouble(Headroom::headroomMs);

    private static final double BYTES_PER_MEGABYTE = 1e6;

    /** Tells what an arrival rate was taken from. */
    public enum Basis {
        /** The depth grew for 5 ms or more, and the reader took nothing meanwhile. */
        @JsonProperty("measured")
        MEASURED,
        /** The depth grew, but never for 5 ms: too low if the reader took something unseen, too high if it was a burst. */
        @JsonProperty("estimated")
        ESTIMATED,
        /** The depth was never seen to grow, or an earlier version wrote the record. */
        @JsonProperty("unknown")
        UNKNOWN
    }

    /** Returns whether the time that the buffer lasts is known: an arrival rate and the limit of the buffer. */
    @JsonIgnore
    public boolean isKnown() {
        return headroomMs >= 0;
    }

    /** Returns the same without the rate and what follows from it if they are no longer those of the present: what came in then may have been one burst. */
    public Headroom present() {
        return seenAgoMs <= PRESENT_MS
                ? this
                : new Headroom(
                        Basis.UNKNOWN,
                        UNKNOWN,
                        UNKNOWN,
                        UNKNOWN,
                        longestStallMs,
                        overflowAfterMs,
                        overflowPredictedMs,
                        0);
    }

    /** Returns the figures as a sentence, and how the rate was found. */
    public String sentence() {
        return survival() + stall() + overflow();
    }

    private String survival() {
        if (basis == Basis.UNKNOWN) {
            return "headroom unknown: the depth was never seen to grow, so the arrival rate is not known";
        }
        String rate =
                String.format(Locale.ROOT, "%.2f MB/s of buffer memory", arrivalBytesPerSecond / BYTES_PER_MEGABYTE);
        if (!isKnown()) {
            return "headroom unknown: datagrams arrive at " + rate + ", but the limit of the buffer is not known";
        }
        String how = basis == Basis.MEASURED
                ? "measured over " + Format.milliseconds(rateWindowMs)
                : "only estimated, from growth of less than 5 ms";
        if (seenAgoMs > PRESENT_MS) {
            how += ", last " + Format.seconds(Math.round(seenAgoMs * Units.MS_NS)) + " before the end";
        }
        return "at " + rate + " (" + how + ") the buffer survives " + Format.milliseconds(headroomMs);
    }

    private String stall() {
        if (longestStallMs > 0) {
            return "; nothing was read from it for " + Format.milliseconds(longestStallMs) + " at most";
        }
        return longestStallMs == 0 ? "; no stall of 5 ms or more was seen" : "";
    }

    private String overflow() {
        if (overflowAfterMs < 0) {
            return "";
        }
        String predicted = overflowPredictedMs < 0
                ? "before a prediction was possible"
                : "predicted " + Format.milliseconds(overflowPredictedMs);
        return "; it overflowed after " + Format.milliseconds(overflowAfterMs) + ", " + predicted;
    }
}
