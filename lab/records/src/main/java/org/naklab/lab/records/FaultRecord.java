package org.naklab.lab.records;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an injected fault.
 *
 * @param armed whether it has been armed at any time
 * @param proof its own word on whether it fired; {@code null}: it left none
 */
public record FaultRecord(boolean armed, @Nullable Proof proof) {
    /**
     * The proof of a fault: whether it fired, and the figures that show it.
     *
     * @param explanation one line: what was seen, or why nothing was
     * @param figures measured, named with their units
     * @param firings the first of them, in order
     */
    public record Proof(boolean fired, String explanation, Map<String, Long> figures, List<Firing> firings) {
        public Proof {
            explanation = Absent.orEmpty(explanation);
            figures = Absent.orNone(figures);
            firings = Absent.orNone(firings);
        }
    }

    /** A fault struck; times are CLOCK_MONOTONIC. */
    public record Firing(long beginNs, long endNs, String what) {
        public Firing {
            what = Absent.orEmpty(what);
        }
    }
}
