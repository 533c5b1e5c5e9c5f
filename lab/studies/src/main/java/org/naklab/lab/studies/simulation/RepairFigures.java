package org.naklab.lab.studies.simulation;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * Tells what a group did in one simulation. Losses are counted at each receiver.
 *
 * @param datagrams of the feed
 */
public record RepairFigures(
        int datagrams,
        @JsonUnwrapped Losses losses,
        @JsonUnwrapped Naks naks,
        @JsonUnwrapped Answers answers,
        @JsonUnwrapped Outcome outcome) {
    /**
     * Counts the datagrams that were lost.
     *
     * @param lostOnTheWay by the network, retransmissions included
     * @param lostBySlow in the full sockets of slow receivers
     * @param lostByHealthy in the full sockets of the others
     * @param overruns datagrams that lay beyond a receiver's window
     */
    public record Losses(long lostOnTheWay, long lostBySlow, long lostByHealthy, long overruns) {}

    /**
     * Counts the NAKs.
     *
     * @param naksSent NAKs of all receivers
     * @param naksSuppressed gaps that were repaired, in whole or in part, before the receiver's own NAK was due
     * @param naksIgnored NAKs for what had just been sent again, or beyond the retransmissions that are remembered
     * @param naksLimited NAKs for which the retransmission's limit left nothing
     * @param naksDropped NAKs that found no room in the sender's socket
     */
    public record Naks(long naksSent, long naksSuppressed, long naksIgnored, long naksLimited, long naksDropped) {}

    /**
     * Counts the answers of the sender.
     *
     * @param retransmits NAKs that were answered
     * @param retransmittedDatagrams datagrams that these answers brought back
     * @param peakNaksPerSecond over 100 ms
     * @param peakRetransmittedPerSecond over 100 ms
     */
    public record Answers(
            long retransmits, long retransmittedDatagrams, long peakNaksPerSecond, long peakRetransmittedPerSecond) {}

    /**
     * Tells how it ended.
     *
     * @param recovery of repaired datagrams
     * @param unrecovered datagrams still missing ten seconds after the end
     * @param incompleteReceivers receivers that miss some of them
     * @param blockedMs the sender waited this long for the window of the fastest receiver
     * @param storm its signs; empty if there was none
     */
    public record Outcome(
            RecoveryLatency recovery,
            long unrecovered,
            int incompleteReceivers,
            double blockedMs,
            List<StormSign> storm) {}

    /** Returns whether the repair did harm of its own. */
    public boolean hasStorm() {
        return !outcome.storm().isEmpty();
    }

    /** Returns whether there was no storm and every receiver has everything. */
    public boolean isHarmless() {
        return !hasStorm() && outcome.unrecovered() == 0;
    }
}
