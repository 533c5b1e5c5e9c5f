package org.naklab.lab.history;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A run's colour in the calendar, from best to worst. */
public enum RunColour {
    /** The service sent no NAK, and nobody asked for a retransmission. */
    BLUE('B'),
    /** Recovery: retransmissions were seen, the service itself had sent no NAK. */
    YELLOW('Y'),
    /** The service sent a NAK. */
    RED('R'),
    /** The service ended without a last word: its NAKs are not known. */
    GREY('?');

    private final char letter;

    RunColour(char letter) {
        this.letter = letter;
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

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
