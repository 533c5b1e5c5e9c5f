package org.naklab.faults;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells whether a fault fired, and by what one can tell.
 *
 * @param fired whether it did what it is for; a run in which this is false has no verdict
 * @param explanation one line: what was seen, or why nothing was
 * @param figures measured, named with their units
 * @param firings the first of them, in order, at most {@link ProofLog#MAX_FIRINGS}
 */
public record FaultProof(boolean fired, String explanation, Map<String, Long> figures, List<Firing> firings) {
    public FaultProof {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        firings = List.copyOf(firings);
    }

    /** Nothing happened. */
    public static FaultProof notFired(String reason) {
        return new FaultProof(false, reason, Map.of(), List.of());
    }

    /** A figure; 0 if the fault does not have it. */
    public long figure(String name) {
        return figures.getOrDefault(name, 0L);
    }
}
