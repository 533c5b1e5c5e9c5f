package org.naklab.lab.terminal.runs;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.naklab.lab.cases.RunEnvironment;

/** Tells in one line until when, and where, the figures of a page were measured: whoever finds the page later knows what they are of. */
public final class MeasuredLine {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private MeasuredLine() {}

    /** Returns the line for a page that is written when its figures have been measured. */
    public static String now() {
        return of(Instant.now());
    }

    static String of(Instant end) {
        return "Measured until " + UTC.format(end) + " on " + RunEnvironment.inShort() + ".";
    }
}
