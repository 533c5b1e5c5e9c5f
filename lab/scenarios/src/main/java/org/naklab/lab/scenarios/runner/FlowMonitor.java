package org.naklab.lab.scenarios.runner;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.service.ServiceReport;

/** Follows the flow from its start until every subscriber that has not been ended on purpose has all of it, or nothing moves any more. */
final class FlowMonitor {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Longer than any repair: the last NAK of LBT-RM's profile goes out well within it. */
    static final long NO_PROGRESS_NS = TimeUnit.SECONDS.toNanos(10);

    private final ProcessGroup group;
    private final RunListener listener;
    private final StallAnnouncer stalls;
    private final Cancellation cancellation;
    private final long beginNs = System.nanoTime();
    private RunProgress last = RunProgress.NONE;
    private long lastMoveNs = beginNs;

    FlowMonitor(ProcessGroup group, RunListener listener, StallAnnouncer stalls, Cancellation cancellation) {
        this.group = group;
        this.listener = listener;
        this.stalls = stalls;
        this.cancellation = cancellation;
    }

    /**
     * Waits for the end of the flow.
     *
     * @param quietNs the flow itself may be silent for that long
     * @throws LabException when a process ends, nothing moves, or the run is cancelled
     */
    void awaitComplete(long quietNs) throws InterruptedException {
        while (!allComplete()) {
            cancellation.check();
            group.requireWell();
            group.awaitUntil(() -> allComplete() || !group.isWell(), STEP_NS);
            requireProgress(quietNs);
        }
        observe();
    }

    RunProgress progress() {
        return last;
    }

    private boolean allComplete() {
        return group.exchange().latest(ProcessEvent.Done.class) != null
                && group.survivors().stream().allMatch(child -> child.latest(ProcessEvent.Complete.class) != null);
    }

    private void requireProgress(long quietNs) {
        RunProgress now = observe();
        boolean exchangeDone = group.exchange().latest(ProcessEvent.Done.class) != null;
        long allowedNs = exchangeDone ? NO_PROGRESS_NS : NO_PROGRESS_NS + quietNs;
        if (System.nanoTime() - lastMoveNs > allowedNs) {
            throw new LabException("no progress for " + Format.seconds(allowedNs) + ": published "
                    + Format.count(now.published()) + ", received " + Format.count(now.received()) + ", journaled "
                    + Format.count(now.journaled()) + ", gateway " + Format.count(now.gatewayReceived()));
        }
    }

    private RunProgress observe() {
        long nowNs = System.nanoTime();
        List<ServiceReport> reports = reports(group.subscribers());
        ProcessEvent.Progress exchange = group.exchange().latest(ProcessEvent.Progress.class);
        RunProgress now = new RunProgress(
                nowNs - beginNs,
                exchange == null ? 0 : exchange.as(ExchangeRecord.class).sent().published(),
                service(reports, each -> each.events().received()),
                service(reports, each -> each.events().journaled()),
                gateways(reports(group.survivors())));
        if (now.isBeyond(last)) {
            lastMoveNs = nowNs;
        }
        last = now;
        stalls.announceTo(listener);
        listener.onProgress(now);
        return now;
    }

    private static List<ServiceReport> reports(List<ChildProcess> subscribers) {
        return subscribers.stream()
                .map(FlowMonitor::report)
                .flatMap(report -> Stream.ofNullable(report))
                .toList();
    }

    private static @Nullable ServiceReport report(ChildProcess child) {
        ProcessEvent.Progress progress = child.latest(ProcessEvent.Progress.class);
        return progress == null ? null : progress.as(ServiceReport.class);
    }

    private static long service(List<ServiceReport> reports, ToLongFunction<ServiceReport> figure) {
        return reports.stream()
                .filter(ServiceReport::servesData)
                .mapToLong(figure)
                .max()
                .orElse(0);
    }

    private static long gateways(List<ServiceReport> reports) {
        return reports.stream()
                .filter(report -> !report.servesData())
                .mapToLong(each -> each.events().received())
                .min()
                .orElse(0);
    }
}
