package org.naklab.lab.scenarios.runner;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.replica.process.ProcessEvent;

/** From what a child reports to the timeline. */
final class TimelineMapping {
    private static final Set<String> TYPES =
            Set.of("RATE_LIMIT_HIT", "WAKE_FAILED", "YIELDED", "SYMBOL_BOUND", "STALL", "MEMORY_NARROWED");

    private TimelineMapping() {}

    /** Progress and other news are for the lab alone. */
    static boolean isOnTimeline(ProcessEvent event) {
        return TYPES.contains(event.event());
    }

    /** @throws IllegalArgumentException when the event is none of the timeline's */
    static TimelineEvent toTimeline(ProcessEvent event) {
        Map<String, Object> details = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : event.details().properties()) {
            JsonNode value = field.getValue();
            if (value.isIntegralNumber()) {
                details.put(field.getKey(), value.asLong());
            } else if (value.isNumber()) {
                details.put(field.getKey(), value.asDouble());
            } else if (value.isBoolean()) {
                details.put(field.getKey(), value.asBoolean());
            } else if (value.isTextual()) {
                details.put(field.getKey(), value.asText());
            }
        }
        String thread = String.valueOf(details.getOrDefault("thread", ""));
        details.remove("event");
        details.remove("atNs");
        details.remove("thread");
        return new TimelineEvent(
                event.atNs(), TimelineEventType.valueOf(event.event()), event.process(), thread, details);
    }
}
