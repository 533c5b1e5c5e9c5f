package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.Median;
import org.naklab.lab.replica.latency.LatencyReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * How late the events were in the order books of the service in the runs of one remedy, from the time at which they were due.
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

    static Optional<RemedyLatency> ofReports(List<LatencyReport> reports) {
        return reports.isEmpty()
                ? Optional.empty()
                : Optional.of(new RemedyLatency(
                        median(reports, LatencyReport.Hop::p50Us),
                        median(reports, LatencyReport.Hop::p99Us),
                        median(reports, LatencyReport.Hop::p999Us),
                        reports.stream()
                                .mapToDouble(report -> report.dueToBook().maxUs())
                                .max()
                                .orElse(0),
                        share(reports, LatencyReport::over1Ms),
                        share(reports, LatencyReport::over10Ms),
                        share(reports, LatencyReport::over100Ms)));
    }

    private static double median(List<LatencyReport> reports, ToDoubleFunction<LatencyReport.Hop> figure) {
        return Median.of(reports.stream().map(LatencyReport::dueToBook).mapToDouble(figure));
    }

    private static double share(List<LatencyReport> reports, ToLongFunction<LatencyReport> late) {
        long events =
                reports.stream().mapToLong(report -> report.dueToBook().count()).sum();
        return (double) reports.stream().mapToLong(late).sum() / events;
    }
}
