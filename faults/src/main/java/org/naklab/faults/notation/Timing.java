package org.naklab.faults.notation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.When;
import org.naklab.faults.description.Spelling;

/** Reads when a fault is armed: {@code +3s}, {@code second-boundary[+400ms]}, {@code EVENT[+3s]}. */
final class Timing {
    private static final String BOUNDARY = "second-boundary";

    private final Set<String> events;
    private @Nullable String trigger;
    private long afterMs;
    private @Nullable Integer phaseMs;

    Timing(Set<String> events) {
        this.events = events;
    }

    /** Adds what stands behind one {@code @}. */
    void add(String text) {
        int plus = text.indexOf('+');
        String event = plus < 0 ? text : text.substring(0, plus);
        long delayMs = plus < 0 ? 0 : Values.milliseconds("@" + text, text.substring(plus + 1));
        if (event.equals(BOUNDARY)) {
            phaseMs = Math.toIntExact(Math.min(delayMs, 1_000));
        } else if (event.isEmpty() && plus == 0) {
            afterMs += delayMs;
        } else if (events.contains(event) && trigger == null) {
            trigger = event;
            afterMs += delayMs;
        } else {
            throw new FaultException(refusal(event));
        }
    }

    private String refusal(String event) {
        if (trigger != null && events.contains(event)) {
            return "a fault waits for one event: '" + trigger + "' or '" + event + "'";
        }
        List<String> known = new ArrayList<>(events);
        known.add(BOUNDARY);
        return "'@" + event + "' is neither a time, such as @+3s, nor an event" + Spelling.hint(event, known);
    }

    When when() {
        return new When(trigger, afterMs, phaseMs);
    }
}
