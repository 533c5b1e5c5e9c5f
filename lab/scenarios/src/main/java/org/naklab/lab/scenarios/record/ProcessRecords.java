package org.naklab.lab.scenarios.record;

import java.util.LinkedHashMap;
import java.util.Map;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.exchange.ExchangeReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.replica.transport.ForeignTraffic;
import org.naklab.lab.replica.transport.TransportReport;

/** Makes the records of what the processes reported at their end. */
final class ProcessRecords {
    private ProcessRecords() {}

    static ExchangeRecord exchange(ExchangeReport report) {
        return new ExchangeRecord(
                report.published(),
                report.digest(),
                report.blockedSends(),
                report.done(),
                report.failure(),
                transport(report.transport()),
                foreign(report.foreign()),
                report.feedId(),
                faults(report.faults()));
    }

    static SubscriberRecord subscriber(ServiceReport report) {
        return new SubscriberRecord(
                report.name(),
                report.role().name(),
                report.received(),
                report.journaled(),
                report.missing(),
                report.duplicated(),
                report.reordered(),
                report.backPressure(),
                report.snapshotsSent(),
                report.snapshotsReceived(),
                report.blockedSends(),
                report.digest(),
                report.booksDigest(),
                report.trailerSeen(),
                report.complete(),
                report.grantedReceiveBufferBytes(),
                transport(report.transport()),
                report.journalForced(),
                foreign(report.foreign()),
                report.feedId(),
                faults(report.faults()),
                report.suspectSince(),
                report.suspectBookSeconds(),
                LatencyRecords.of(report.latency()));
    }

    static Map<String, FaultRecord> faults(Map<String, FaultReport> reports) {
        Map<String, FaultRecord> faults = new LinkedHashMap<>();
        reports.forEach((id, report) -> faults.put(id, fault(report)));
        return faults;
    }

    private static FaultRecord fault(FaultReport report) {
        return new FaultRecord(
                report.armed(),
                new FaultRecord.Proof(
                        report.proof().fired(),
                        report.proof().explanation(),
                        report.proof().figures(),
                        report.proof().firings().stream()
                                .map(firing -> new FaultRecord.Firing(firing.beginNs(), firing.endNs(), firing.what()))
                                .toList()));
    }

    private static TransportRecord transport(TransportReport report) {
        return new TransportRecord(
                report.naksSent(),
                report.naksReceived(),
                report.retransmitsSent(),
                report.retransmittedBytes(),
                report.receiverOverruns(),
                report.errors(),
                report.overtakenDatagrams(),
                report.repeatedDatagrams());
    }

    private static ForeignTrafficRecord foreign(ForeignTraffic traffic) {
        return new ForeignTrafficRecord(
                traffic.foreignDatagrams(),
                traffic.invalidDatagrams(),
                traffic.rejectedMessages(),
                traffic.ignoredMessages());
    }
}
