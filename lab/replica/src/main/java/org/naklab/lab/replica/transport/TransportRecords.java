package org.naklab.lab.replica.transport;

import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.messaging.TransportStatistics;
import org.naklab.subscriber.ServiceCounters;

/** Makes the records of what a process counts at its transport. */
public final class TransportRecords {
    private TransportRecords() {}

    /** Returns the counters of a transport. */
    public static TransportRecord of(TransportStatistics statistics) {
        return new TransportRecord(
                statistics.repair().naksSent(),
                statistics.repair().naksReceived(),
                statistics.repair().retransmitsSent(),
                statistics.repair().retransmittedBytes(),
                statistics.limits().receiverOverruns(),
                statistics.errors(),
                new TransportRecord.Order(
                        statistics.order().overtakenDatagrams(),
                        statistics.order().repeatedDatagrams()));
    }

    /** Returns what came to a process that receives no messages, and was none of Aeron's. */
    public static ForeignTrafficRecord foreign(TransportStatistics transport) {
        return new ForeignTrafficRecord(
                transport.foreign().foreignDatagrams(), transport.foreign().invalidDatagrams(), 0, 0);
    }

    /** Returns what came to a subscriber and was not of its feed. */
    public static ForeignTrafficRecord foreign(TransportStatistics transport, ServiceCounters counters) {
        return new ForeignTrafficRecord(
                transport.foreign().foreignDatagrams(),
                transport.foreign().invalidDatagrams(),
                counters.rejected(),
                counters.ignored());
    }
}
