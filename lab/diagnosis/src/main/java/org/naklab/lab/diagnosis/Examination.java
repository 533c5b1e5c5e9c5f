package org.naklab.lab.diagnosis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * A diagnosis with what it rests on: each stall of the counted window, whether it matters or not.
 *
 * @param stalls in the order of the case file
 */
public record Examination(Diagnosis diagnosis, List<ExplainedStall> stalls) {
    /**
     * A stall with its cause and what the thread did, or waited for, in each part of it.
     *
     * @param event the event STALL
     */
    public record ExplainedStall(TimelineEvent event, Cause cause, StallAccount account) {}

    public Examination {
        stalls = List.copyOf(stalls);
    }

    /** Diagnoses a case file, and explains each of its stalls. */
    public static Examination of(CaseFile file) {
        StallAttributions attributions = new StallAttributions(file);
        Diagnosis diagnosis = new Diagnoser(file, attributions).conclude();
        return new Examination(
                diagnosis,
                file.of(TimelineEventType.STALL).stream()
                        .filter(event -> file.counted().contains(event.timeNs()))
                        .map(event -> explained(event, attributions.of(event)))
                        .toList());
    }

    /**
     * Accounts for a stall before everything is known of it: while it lasts, or until its evidence is complete. The rest is unexplained.
     *
     * @param stall until now, if it lasts
     * @param events of its time that were told so far, in any order
     */
    public static StallAccount accountSoFar(TimelineEvent stall, List<TimelineEvent> events) {
        List<TimelineEvent> byTime = events.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
        CaseFile file = new CaseFile(stall.process(), 0, stall.interval(), byTime, List.of(), Map.of(), List.of());
        return new StallAccountant(file, stall).account();
    }

    private static ExplainedStall explained(TimelineEvent event, StallAttribution attribution) {
        return new ExplainedStall(event, attribution.explain().cause(), attribution.account());
    }
}
