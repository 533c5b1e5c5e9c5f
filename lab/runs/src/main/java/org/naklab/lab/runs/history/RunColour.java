package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A run's colour in the calendar, from best to worst. */
public enum RunColour {
    /** The service sent no NAK, and nobody asked for a retransmission. */
    BLUE('B', "no NAK"),
    /** Recovery: retransmissions were seen, the service itself had sent no NAK. */
    YELLOW('Y', "recovery: retransmissions seen, no NAK of the service's own"),
    /** The service sent a NAK. */
    RED('R', "NAK"),
    /** The service exited without a final report: its NAKs are unknown. */
    GREY('?', "the service left no last word");

    private final char letter;
    private final String meaning;

    RunColour(char letter, String meaning) {
        this.letter = letter;
        this.meaning = meaning;
    }

    static RunColour of(RunFigures figures) {
        Long own = figures.serviceNaks();
        if (own == null) {
            return GREY;
        }
        if (own > 0) {
            return RED;
        }
        return figures.retransmits() > 0 ? YELLOW : BLUE;
    }

    /** Tells the colours apart where there are none. */
    public char letter() {
        return letter;
    }

    /** Returns the meaning of the colour, for a legend. */
    public String meaning() {
        return meaning;
    }

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
