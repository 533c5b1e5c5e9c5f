package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;

/**
 * Tells what a script measured of its own disturbance.
 *
 * @param isMade whether the disturbance took effect
 * @param text the figures; or why it was not made
 * @param beganNs when it began, CLOCK_MONOTONIC, ns; 0 if it was not made
 * @param endedNs when it ended, CLOCK_MONOTONIC, ns
 * @param also words of further causes that the script measured during the disturbance, such as a wait for a CPU
 * @param beside words of causes that the script measured before and after the disturbance
 */
public record Proof(
        @JsonProperty("made") boolean isMade,
        @JsonProperty("text") String text,
        @JsonProperty("beganNs") long beganNs,
        @JsonProperty("endedNs") long endedNs,
        @JsonProperty("also") Set<String> also,
        @JsonProperty("beside") Set<String> beside) {
    public Proof {
        also = Set.copyOf(also);
        beside = Set.copyOf(beside);
    }

    /** Reads the line that a script prints; without {@code made} it was not made. */
    @JsonCreator
    static Proof read(
            @JsonProperty("made") @Nullable Boolean made,
            @JsonProperty("text") @Nullable String text,
            @JsonProperty("beganNs") long beganNs,
            @JsonProperty("endedNs") long endedNs,
            @JsonProperty("also") @Nullable Set<String> also,
            @JsonProperty("beside") @Nullable Set<String> beside) {
        return new Proof(
                Boolean.TRUE.equals(made),
                text == null ? "" : text,
                beganNs,
                endedNs,
                also == null ? Set.of() : also,
                beside == null ? Set.of() : beside);
    }

    /** Returns that of a disturbance that was not made. */
    static Proof notMade(String why) {
        return new Proof(false, why, 0, 0, Set.of(), Set.of());
    }

    /**
     * Returns this proof; that of a disturbance that was not made if it began only when the flow had ended: nobody could see it.
     *
     * @param flowEndedNs CLOCK_MONOTONIC, ns
     */
    Proof beforeEndOf(long flowEndedNs) {
        return isMade && beganNs - flowEndedNs >= 0
                ? notMade(String.format(
                        Locale.ROOT,
                        "it began %.0f ms after the end of the flow: %s",
                        (beganNs - flowEndedNs) / Units.NS_PER_MS,
                        text))
                : this;
    }

    /** Returns true if something took place while the disturbance lasted, at least in part. */
    boolean overlaps(Interval time) {
        return new Interval(beganNs, endedNs).overlaps(time);
    }
}
