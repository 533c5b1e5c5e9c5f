package org.naklab.lab.scenarios.record;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.latency.LatencyReport;
import org.naklab.lab.replica.service.ServiceReport;

/** Makes the records of the latencies that the subscribers reported. */
public final class LatencyRecords {
    private LatencyRecords() {}

    /** Returns the figures of a subscriber; null if it did not report any. */
    public static @Nullable LatencyRecord of(@Nullable LatencyReport report) {
        return report == null
                ? null
                : new LatencyRecord(
                        hop(report.dueToSent()),
                        hop(report.sentToReceived()),
                        hop(report.receivedToJournaled()),
                        hop(report.receivedToBook()),
                        hop(report.dueToJournaled()),
                        hop(report.repair()),
                        hop(report.dueToBook()),
                        hop(report.boundaryToSnapshot()),
                        new LatencyRecord.Late(report.over1Ms(), report.over10Ms(), report.over100Ms()),
                        report.leftOut());
    }

    /** Returns the curves of all subscribers that reported latencies. */
    static LatencyFile file(List<ServiceReport> reports) {
        return new LatencyFile(reports.stream().flatMap(LatencyRecords::curves).toList());
    }

    private static Stream<LatencyFile.Subscriber> curves(ServiceReport report) {
        return Stream.ofNullable(report.latency())
                .map(latency -> new LatencyFile.Subscriber(
                        report.name(),
                        points(latency.dueToBook()),
                        points(latency.dueToJournaled()),
                        latency.intervalNs(),
                        latency.intervals().stream()
                                .map(interval -> new LatencyFile.Interval(
                                        interval.beginNs(), interval.count(), interval.p50Us(), interval.maxUs()))
                                .toList()));
    }

    private static List<LatencyFile.Point> points(LatencyReport.Hop hop) {
        return hop.points().stream()
                .map(point -> new LatencyFile.Point(point.percentile(), point.latencyUs()))
                .toList();
    }

    private static LatencyRecord.Hop hop(LatencyReport.Hop hop) {
        return new LatencyRecord.Hop(hop.count(), hop.p50Us(), hop.p99Us(), hop.p999Us(), hop.maxUs());
    }
}
