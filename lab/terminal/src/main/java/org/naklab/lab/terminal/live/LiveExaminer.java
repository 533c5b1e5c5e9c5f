package org.naklab.lab.terminal.live;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.cases.DiagnosisRecords;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Examination;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.report.live.StallExaminer;

/** Examines stalls while a run or a watch goes on, by the rules of the diagnosis. */
final class LiveExaminer implements StallExaminer {
    @Override
    public StallAccount account(TimelineEvent stall, List<TimelineEvent> events) {
        return Examination.accountSoFar(stall, events);
    }

    @Override
    public Optional<DiagnosisRecord> examine(TimelineEvent stall, List<TimelineEvent> events) {
        return Optional.of(DiagnosisRecords.of(Examination.soFar(stall, events), List.of()));
    }
}
