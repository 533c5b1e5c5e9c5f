package org.naklab.lab.diagnosis;

import java.util.IdentityHashMap;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Explains each stall of a case file once. */
final class StallAttributions {
    private final CaseFile file;
    private final IdentityHashMap<TimelineEvent, StallAttribution> known = new IdentityHashMap<>();

    StallAttributions(CaseFile file) {
        this.file = file;
    }

    /** @param stall a STALL of the file */
    StallAttribution of(TimelineEvent stall) {
        return known.computeIfAbsent(stall, each -> new StallAttribution(file, each));
    }
}
