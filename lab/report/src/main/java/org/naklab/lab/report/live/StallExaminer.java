package org.naklab.lab.report.live;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.records.DiagnosisRecord;

/** Tells what is known of a stall before its record is complete. */
@FunctionalInterface
public interface StallExaminer {
    /**
     * Makes the account of a stall that may last still.
     *
     * @param stall until now, if it lasts
     * @param events of its time
     */
    StallAccount account(TimelineEvent stall, List<TimelineEvent> events);

    /**
     * Diagnoses a stall that is over; empty: it cannot.
     *
     * @param events the latest of all, with those before the stall
     */
    default Optional<DiagnosisRecord> examine(TimelineEvent stall, List<TimelineEvent> events) {
        return Optional.empty();
    }
}
