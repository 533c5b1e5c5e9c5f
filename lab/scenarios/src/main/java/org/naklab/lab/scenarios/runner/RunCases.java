package org.naklab.lab.scenarios.runner;

import java.util.List;
import java.util.Map;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseDocument;
import org.naklab.lab.cases.ObservedEvents;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.SocketReading;

/** Makes the case of a run: its evidence before judgement. */
final class RunCases {
    private RunCases() {}

    /** @param epochOffsetNs what to add to a time of the timeline for nanoseconds since 1970 */
    static Case of(
            int feedPort,
            Interval counted,
            long epochOffsetNs,
            List<TimelineEvent> events,
            List<ServiceReport> subscribers,
            List<SocketReading> sockets,
            NetworkLossEstimator balance,
            Map<SeriesName, Long> maxima,
            Map<SeriesName, List<Reading>> readings,
            List<String> problems,
            InstrumentCoverage coverage) {
        List<CaseDocument.Receiver> receivers = subscribers.stream()
                .map(report -> receiver(report, sockets, balance))
                .toList();
        CaseDocument document = CaseDocument.recorded(
                CaseDocument.Kind.RUN,
                Deployment.SERVICE,
                List.of(feedPort),
                counted,
                epochOffsetNs,
                CaseDocument.Counters.of(receivers, maxima, readings),
                problems,
                coverage.sight().blind());
        return new Case(document, ObservedEvents.of(events), readings);
    }

    private static CaseDocument.Receiver receiver(
            ServiceReport report, List<SocketReading> sockets, NetworkLossEstimator balance) {
        SocketDrops drops = sockets.stream()
                .filter(socket -> socket.process().equals(report.name()))
                .map(SocketReading::reasons)
                .reduce(new SocketDrops(0, 0), SocketDrops::and);
        return new CaseDocument.Receiver(
                new CaseFile.Receiver(
                        report.name(),
                        new CaseFile.Receiver.Events(
                                report.events().received(), report.events().missing()),
                        new CaseFile.Receiver.Losses(
                                report.intake().transport().naksSent(),
                                drops.all(),
                                report.flow().backPressure(),
                                report.intake().transport().receiverOverruns(),
                                lostOnTheWayBytes(report, sockets, balance))),
                drops,
                report.end().complete(),
                report.servesData() ? report.events().journaled() : -1);
    }

    /** Returns no loss if no instrument observed the socket, or if the driver's own window overflowed. */
    private static long lostOnTheWayBytes(
            ServiceReport report, List<SocketReading> sockets, NetworkLossEstimator balance) {
        boolean isSeen = sockets.stream().anyMatch(socket -> socket.process().equals(report.name()));
        return isSeen && report.intake().transport().receiverOverruns() == 0
                ? balance.lostOnTheWayBytes(report.name())
                : 0;
    }
}
