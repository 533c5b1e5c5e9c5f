package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a process's transport after the warm-up.
 *
 * @param retransmitsSent NAKs answered
 * @param retransmittedBytes that those answers brought back, headers included
 * @param receiverOverruns datagrams beyond the receiver's window, dropped by the transport
 * @param errors that reached the transport's error handler
 * @param overtakenDatagrams with new data, behind later ones; {@code null}: not counted
 * @param repeatedDatagrams of which all data had come in before; {@code null}: not counted
 */
public record TransportRecord(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long errors,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long overtakenDatagrams,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long repeatedDatagrams) {
    static final TransportRecord NONE = new TransportRecord(0, 0, 0, 0, 0, 0, null, null);
}
