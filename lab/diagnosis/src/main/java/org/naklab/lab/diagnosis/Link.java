package org.naklab.lab.diagnosis;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * One link of a causal chain.
 *
 * @param atNs CLOCK_MONOTONIC; {@code null} when it was not seen
 * @param inOrder not before the link that is seen before it, but for the instruments' own coarseness
 */
public record Link(TimelineEventType type, @Nullable Long atNs, boolean inOrder) {
    /** Returns true if the link was observed. */
    public boolean present() {
        return atNs != null;
    }
}
