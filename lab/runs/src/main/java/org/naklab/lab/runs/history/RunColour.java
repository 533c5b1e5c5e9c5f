package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A word for what a run's service had to recover, as the documents of {@code history --json} have it, from best to worst. */
public enum RunColour {
    /** The service sent no NAK, and nobody asked for a retransmission. */
    BLUE,
    /** Recovery: retransmissions were seen, the service itself had sent no NAK. */
    YELLOW,
    /** The service sent a NAK. */
    RED,
    /** The service exited without a final report: its NAKs are unknown. */
    GREY;

    static RunColour of(RunFigures figures) {
        Long own = figures.traffic().serviceNaks();
        if (own == null) {
            return GREY;
        }
        if (own > 0) {
            return RED;
        }
        return figures.harm().retransmits() > 0 ? YELLOW : BLUE;
    }

    /** Returns what it means for one receiver. */
    public String meaning() {
        return switch (this) {
            case BLUE -> "no NAK, nothing recovered";
            case YELLOW -> "no NAK of its own, but datagrams came in again or out of order";
            case RED -> "sent a NAK";
            case GREY -> "not known";
        };
    }

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
