package org.naklab.lab.scenarios.runner;

import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.Examination;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.SocketReading;

/** Lays a run's evidence before the diagnosis. */
final class CaseFiles {
    private CaseFiles() {}

    static CaseFile of(
            int feedPort,
            Interval counted,
            List<TimelineEvent> events,
            List<ServiceReport> subscribers,
            List<SocketReading> sockets,
            NetworkLossEstimator balance,
            Map<String, Long> maxima,
            Map<String, List<Reading>> readings,
            List<String> problems) {
        List<CaseFile.Receiver> receivers = subscribers.stream()
                .map(report -> new CaseFile.Receiver(
                        report.name(),
                        report.received(),
                        report.missing(),
                        report.transport().naksSent(),
                        dropped(report.name(), sockets),
                        report.backPressure(),
                        report.transport().receiverOverruns(),
                        lostOnTheWayBytes(report, sockets, balance)))
                .toList();
        return new CaseFile(Deployment.SERVICE, feedPort, counted, events, receivers, maxima, readings, problems);
    }

    /** Returns no loss if no instrument observed the socket, or if the driver's own window overflowed. */
    private static long lostOnTheWayBytes(
            ServiceReport report, List<SocketReading> sockets, NetworkLossEstimator balance) {
        boolean isSeen = sockets.stream().anyMatch(socket -> socket.process().equals(report.name()));
        return isSeen && report.transport().receiverOverruns() == 0 ? balance.lostOnTheWayBytes(report.name()) : 0;
    }

    private static long dropped(String process, List<SocketReading> sockets) {
        return sockets.stream()
                .filter(socket -> socket.process().equals(process))
                .mapToLong(SocketReading::drops)
                .sum();
    }

    /** Returns the stalls of the counted time, each with its cause. */
    static List<Stall> stalls(Examination examination) {
        return examination.stalls().stream().map(CaseFiles::stall).toList();
    }

    private static Stall stall(Examination.ExplainedStall stall) {
        TimelineEvent event = stall.event();
        return new Stall(
                event.process(),
                event.timeNs(),
                ((Number) event.details().getOrDefault("durationMs", 0)).doubleValue(),
                event.thread(),
                event.longDetail("majorFaults", -1),
                stall.cause().label(),
                stall.account());
    }
}
