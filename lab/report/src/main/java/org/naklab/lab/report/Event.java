package org.naklab.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/**
 * A line of {@code timeline.jsonl}.
 *
 * @param timeNs CLOCK_MONOTONIC
 */
record Event(
        long timeNs,
        String type,
        String process,
        String thread,
        @Nullable JsonNode details) {
    private static final double NS_PER_MS = 1e6;

    /**
     * All of a file, by time; what is no event, as the last line of a killed run, is left out.
     *
     * @throws LabException it cannot be read
     */
    static List<Event> read(Path file) {
        List<Event> events = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                take(line, events);
            }
        } catch (IOException e) {
            throw new LabException("cannot read timeline " + file + ": " + e.getMessage(), e);
        }
        events.sort(Comparator.comparingLong(Event::timeNs));
        return events;
    }

    private static void take(String line, List<Event> events) {
        try {
            JsonNode event = Json.parse(line);
            if (event.path("timeNs").isNumber()) {
                events.add(new Event(
                        event.path("timeNs").asLong(),
                        event.path("type").asText(),
                        event.path("process").asText(),
                        event.path("thread").asText(),
                        event.get("details")));
            }
        } catch (JsonProcessingException e) {
            // A line that a killed run left unfinished: what came before it is whole.
            return;
        }
    }

    JsonNode detail(String key) {
        return details == null ? MissingNode.getInstance() : details.path(key);
    }

    /** Of something with a length; 0 of what has none. */
    long durationNs() {
        JsonNode inNs = detail("durationNs");
        return inNs.isNumber() ? inNs.asLong() : Math.round(detail("durationMs").asDouble() * NS_PER_MS);
    }
}
