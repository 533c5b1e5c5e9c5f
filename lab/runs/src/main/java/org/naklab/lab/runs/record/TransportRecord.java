package org.naklab.lab.runs.record;

/**
 * The counters of a process's transport after the warm-up.
 *
 * @param retransmitsSent NAKs answered
 * @param retransmittedBytes that those answers brought back, headers included
 * @param receiverOverruns datagrams beyond the receiver's window, dropped by the transport
 * @param errors that reached the transport's error handler
 * @param overtakenDatagrams with new data, behind later ones; 0 in records of earlier versions
 * @param repeatedDatagrams of which all data had come in before; 0 in records of earlier versions
 */
public record TransportRecord(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long errors,
        long overtakenDatagrams,
        long repeatedDatagrams) {
    static final TransportRecord NONE = new TransportRecord(0, 0, 0, 0, 0, 0, 0, 0);
}
