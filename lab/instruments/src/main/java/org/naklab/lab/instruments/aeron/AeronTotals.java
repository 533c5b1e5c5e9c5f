package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import org.agrona.concurrent.status.CountersReader;

/** The driver-wide counters, as of one moment. Of a driver, not of a watch: they start with it at 0. */
public record AeronTotals(
        long naksSent,
        long naksReceived,
        long retransmitsSent,
        long retransmittedBytes,
        long receiverOverruns,
        long lossGapFills,
        long bytesSent,
        long bytesReceived) {
    static AeronTotals read(CountersReader counters) {
        return new AeronTotals(
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_SENT),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_RECEIVED),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITS_SENT),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITTED_BYTES),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_FLOW_CONTROL_OVER_RUNS),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_LOSS_GAP_FILLS),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_BYTES_SENT),
                counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_BYTES_RECEIVED));
    }
}
