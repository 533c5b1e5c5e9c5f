package org.naklab.lab.diagnosis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Accounts for a stall before everything is known of it: while it lasts, or until its evidence is complete. */
public final class OpenAccount {
    private OpenAccount() {}

    /**
     * Returns what is known so far, by the rules of the final account; the rest is unexplained.
     *
     * @param stall until now, if it lasts
     * @param events of its time that were told so far, in any order
     */
    public static StallAccount of(TimelineEvent stall, List<TimelineEvent> events) {
        List<TimelineEvent> byTime = events.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
        CaseFile file = new CaseFile(stall.process(), 0, stall.interval(), byTime, List.of(), Map.of(), List.of());
        return new StallAccountant(file, stall).account();
    }
}
