package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.Median;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * Tells how late the events were in the order books of the service in the runs of one remedy, from the time at which they were due.
 *
 * @param p50Us the median of the runs' percentiles, like the next two
 * @param maxUs of all runs
 * @param over1MsShare of the events of all runs, 0 to 1, like the next two
 */
public record RemedyLatency(
        double p50Us,
        double p99Us,
        double p999Us,
        double maxUs,
        double over1MsShare,
        double over10MsShare,
        double over100MsShare) {
    /** Returns the latency of the runs that measured it; empty if none did. */
    static Optional<RemedyLatency> of(List<RunResult> runs) {
        return ofReports(runs.stream()
                .flatMap(run -> Stream.ofNullable(run.outcome().subscriber(Deployment.SERVICE)))
                .map(ServiceReport::latency)
                .flatMap(Stream::ofNullable)
                .filter(latency -> latency.dueToBook().count() > 0)
                .toList());
    }

    static Optional<RemedyLatency> ofReports(List<LatencyRecord> reports) {
        return reports.isEmpty()
                ? Optional.empty()
                : Optional.of(new RemedyLatency(
                        median(reports, LatencyRecord.Hop::p50Us),
                        median(reports, LatencyRecord.Hop::p99Us),
                        median(reports, LatencyRecord.Hop::p999Us),
                        reports.stream()
                                .mapToDouble(report -> report.dueToBook().maxUs())
                                .max()
                                .orElse(0),
                        share(reports, each -> each.late().over1Ms()),
                        share(reports, each -> each.late().over10Ms()),
                        share(reports, each -> each.late().over100Ms())));
    }

    private static double median(List<LatencyRecord> reports, ToDoubleFunction<LatencyRecord.Hop> figure) {
        return Median.of(reports.stream().map(LatencyRecord::dueToBook).mapToDouble(figure));
    }

    private static double share(List<LatencyRecord> reports, ToLongFunction<LatencyRecord> late) {
        long events =
                reports.stream().mapToLong(report -> report.dueToBook().count()).sum();
        return (double) reports.stream().mapToLong(late).sum() / events;
    }
}
