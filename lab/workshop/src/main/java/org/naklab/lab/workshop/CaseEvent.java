package org.naklab.lab.workshop;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
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
    private static final double NS_PER_MS = 1e6;

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
        long ofMs = Math.round(details.path("durationMs").asDouble() * NS_PER_MS);
        return new Interval(timeNs, timeNs + Math.max(lengthNs, ofMs));
    }
}
