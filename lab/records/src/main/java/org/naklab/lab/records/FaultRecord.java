package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an injected fault, as the process that ran it reports it.
 *
 * @param armed whether it has been armed at any time
 * @param given the proof that stands in the file; {@code null}: it left none
 * @param left why something of it remains: it could not be undone, or was armed beyond its time; {@code null}: nothing does
 */
public record FaultRecord(
        boolean armed,
        @JsonProperty("proof") @Nullable Proof given,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String left) {
    /**
     * The proof of a fault: whether it fired, and the figures that show it.
     *
     * @param explanation one line: what was seen, or why nothing was
     * @param figures measured, named with their units
     * @param firings the first of them, in order
     */
    public record Proof(boolean fired, String explanation, Map<String, Long> figures, List<Firing> firings) {
        /** The proof of a fault that left none. */
        public static final Proof NONE = notFired("");

        /** Replaces what is absent. */
        public Proof {
            explanation = Absent.orEmpty(explanation);
            figures = Absent.orNone(figures);
            firings = Absent.orNone(firings);
        }

        /** Makes the proof of a fault that did not fire. */
        public static Proof notFired(String reason) {
            return new Proof(false, reason, Map.of(), List.of());
        }

        /** Returns a figure; 0 if the fault does not have it. */
        public long figure(String name) {
            return figures.getOrDefault(name, 0L);
        }
    }

    /** A fault struck; times are CLOCK_MONOTONIC. */
    public record Firing(long beginNs, long endNs, String what) {
        /** Replaces what is absent. */
        public Firing {
            what = Absent.orEmpty(what);
        }

        /** Returns how long it lasted, ns. */
        public long durationNs() {
            return endNs - beginNs;
        }
    }

    /** Makes the record of a fault of which nothing remains. */
    public FaultRecord(boolean armed, Proof proof) {
        this(armed, proof, null);
    }

    /** Returns its own word on whether it fired; {@link Proof#NONE} if it left none. */
    public Proof proof() {
        return given == null ? Proof.NONE : given;
    }

    /** Returns the records in the form of files, which do not have what remains of a fault. */
    public static Map<String, FaultRecord> kept(Map<String, FaultRecord> faults) {
        Map<String, FaultRecord> kept = new LinkedHashMap<>();
        faults.forEach((id, fault) -> kept.put(id, new FaultRecord(fault.armed, fault.given, null)));
        return kept;
    }
}
