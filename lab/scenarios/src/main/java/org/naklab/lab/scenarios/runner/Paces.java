package org.naklab.lab.scenarios.runner;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.pace.PaceViewer;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.pace.ProcessPace.Stage;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;

/** Tells viewers how far the processes of a run are, by what these report to the run. */
final class Paces {
    private final List<PaceViewer> viewers;

    Paces(List<PaceViewer> viewers) {
        this.viewers = List.copyOf(viewers);
    }

    /** Takes the report of a process; does nothing if nobody looks. */
    void onProgress(String process, ProcessEvent.Progress progress) {
        if (viewers.isEmpty() || process.equals(Customers.PROCESS)) {
            return;
        }
        ProcessPace pace = process.equals(Deployment.EXCHANGE)
                ? new ProcessPace(
                        progress.atNs(),
                        process,
                        Map.of(
                                Stage.SENT,
                                progress.as(ExchangeRecord.class).sent().published()),
                        null)
                : of(process, progress.atNs(), progress.as(ServiceReport.class));
        viewers.forEach(viewer -> viewer.onPace(pace));
    }

    private static ProcessPace of(String process, long atNs, ServiceReport report) {
        Map<Stage, Long> passed = new EnumMap<>(Stage.class);
        passed.put(Stage.RECEIVED, report.events().received());
        if (report.servesData()) {
            passed.put(Stage.JOURNALED, report.events().journaled());
        }
        ServiceReport.Recent recent = report.recent();
        if (recent != null) {
            passed.put(Stage.APPLIED, recent.applied());
        }
        return new ProcessPace(atNs, process, passed, recent == null ? null : recent.latency());
    }
}
