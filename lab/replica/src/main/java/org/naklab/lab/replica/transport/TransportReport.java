package org.naklab.lab.replica.transport;

import org.naklab.messaging.TransportStatistics;

/**
 * The counters of a process's transport.
 *
 * @param naksSent by its receivers
 * @param naksReceived by its senders
 * @param retransmitsSent NAKs answered
 * @param retransmittedBytes bytes that those answers brought back, headers included
 * @param receiverOverruns datagrams beyond the receiver's window, dropped by the transport
 * @param errors that reached the transport's error handler
 * @param overtakenDatagrams datagrams with new data that came in behind later ones: reordered, late, or sent again after a loss
 * @param repeatedDatagrams datagrams of which all data had come in before
 */
public record TransportReport(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long errors,
        long overtakenDatagrams,
        long repeatedDatagrams) {
    /** Creates a report of a transport whose datagrams came in order, each once. */
    public TransportReport(
            long naksSent,
            long naksReceived,
            long retransmitsSent,
            long retransmittedBytes,
            long receiverOverruns,
            long errors) {
        this(naksSent, naksReceived, retransmitsSent, retransmittedBytes, receiverOverruns, errors, 0, 0);
    }

    /** Returns the counts since an earlier report. Errors are counted from the start, because an error is relevant whenever it occurs. */
    public TransportReport since(TransportReport earlier) {
        return new TransportReport(
                naksSent - earlier.naksSent,
                naksReceived - earlier.naksReceived,
                retransmitsSent - earlier.retransmitsSent,
                retransmittedBytes - earlier.retransmittedBytes,
                receiverOverruns - earlier.receiverOverruns,
                errors,
                overtakenDatagrams - earlier.overtakenDatagrams,
                repeatedDatagrams - earlier.repeatedDatagrams);
    }

    /** Returns the counts of two transports of one process. */
    public TransportReport plus(TransportReport other) {
        return new TransportReport(
                naksSent + other.naksSent,
                naksReceived + other.naksReceived,
                retransmitsSent + other.retransmitsSent,
                retransmittedBytes + other.retransmittedBytes,
                receiverOverruns + other.receiverOverruns,
                errors + other.errors,
                overtakenDatagrams + other.overtakenDatagrams,
                repeatedDatagrams + other.repeatedDatagrams);
    }

    public static TransportReport of(TransportStatistics statistics) {
        return new TransportReport(
                statistics.naksSent(),
                statistics.naksReceived(),
                statistics.retransmitsSent(),
                statistics.retransmittedBytes(),
                statistics.receiverOverruns(),
                statistics.errors(),
                statistics.overtakenDatagrams(),
                statistics.repeatedDatagrams());
    }
}
