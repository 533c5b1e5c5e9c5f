package org.naklab.lab.workshop;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.workshop.seal.EventNames;

/**
 * One event of a trainee's case, as it stands in the file.
 *
 * @param id by which an answer cites it
 * @param span since the begin of the case
 * @param figures all that was noted, in words
 */
public record CaseEvent(
        String id, TimelineEventType type, String process, String thread, Interval span, Map<String, String> figures) {
    /** Details that the time and the length of an event say already, or that mean nothing to a reader. */
    private static final Set<String> UNTOLD = Set.of(
            "durationNs", "durationMs", "beganNs", "endNs", "seenNs", "detectedNs", "inode", "sessionId", "channel");

    /** Returns the process, and the thread if there is one. */
    public String who() {
        return thread.isEmpty() ? process : process + " " + thread;
    }

    /** Returns when it began, in seconds since the begin of the case. */
    public String seconds() {
        return Words.seconds(span.beginNs());
    }

    /** Returns how many milliseconds it took; empty if it is a moment. */
    public String lengthMs() {
        return span.lengthNs() == 0 ? "" : String.format(Locale.ROOT, "%.3f", span.lengthMs());
    }

    /** Returns what a trainee reads of its figures, each with its name. */
    public String told() {
        return new TreeMap<>(figures)
                .entrySet().stream()
                        .filter(entry -> !UNTOLD.contains(entry.getKey())
                                && !entry.getValue().isEmpty())
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining("  "));
    }

    static CaseEvent of(int number, JsonNode line) {
        JsonNode details = line.path("details");
        Map<String, String> figures = new LinkedHashMap<>();
        details.properties()
                .forEach(field -> figures.put(field.getKey(), field.getValue().asText()));
        return new CaseEvent(
                "e" + number,
                EventNames.typeOf(line.path("type").asText()),
                line.path("process").asText(),
                line.path("thread").asText(),
                span(line.path("timeNs").asLong(), details),
                figures);
    }

    private static Interval span(long timeNs, JsonNode details) {
        if (details.has("beganNs")) {
            return new Interval(details.path("beganNs").asLong(), timeNs);
        }
        long lengthNs = Stream.of("durationNs", "latenessNs", "delayNs")
                .mapToLong(key -> details.path(key).asLong())
                .max()
                .orElse(0);
        long ofMs = Math.round(details.path("durationMs").asDouble() * Units.NS_PER_MS);
        return new Interval(timeNs, timeNs + Math.max(lengthNs, ofMs));
    }
}
