package org.naklab.lab.studies.repair;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.HdrHistogram.Histogram;
import org.naklab.lab.studies.simulation.RecoveryLatency;

/**
 * Holds the figures of a real group.
 *
 * @param sleepsNs the same in ns
 * @param unrecovered messages that were not received twelve seconds after the end, at each receiver counted
 */
public record MeasuredRepair(
        @JsonUnwrapped Counts counts,
        @JsonUnwrapped Latencies latencies,
        @JsonIgnore Histogram sleepsNs,
        long unrecovered) {
    /**
     * Counts the losses and their repair.
     *
     * @param lostOnTheWay by the lossy links, at each receiver counted
     * @param naksSent NAKs of all receivers
     * @param retransmits NAKs that the sender answered
     * @param retransmittedDatagrams that the answers brought back
     */
    public record Counts(long lostOnTheWay, long naksSent, long retransmits, long retransmittedDatagrams) {}

    /**
     * Contains the times of the repair.
     *
     * @param recovery of lost datagrams: from the arrival of a later one to that of the lost one
     * @param delivery of all messages: from the time at which a message was due to its receipt in order
     * @param sleep how long a thread that had nothing to do slept, of the sender and of the receivers that do not stall
     */
    public record Latencies(RecoveryLatency recovery, RecoveryLatency delivery, RecoveryLatency sleep) {}
}
