package org.naklab.lab.scenarios.runner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.process.ProcessEvent;

/** Maps the reports of child processes to timeline events. */
final class TimelineMapping {
    private TimelineMapping() {}

    static TimelineEvent toTimeline(String process, ProcessEvent.OnTimeline event) {
        if (event instanceof ProcessEvent.Stalled stalled) {
            return stall(process, event, stalled.thread(), stalled.interruption());
        }
        if (event instanceof ProcessEvent.Yielded yielded) {
            return stall(process, event, yielded.thread(), yielded.interruption());
        }
        return byNames(process, event);
    }

    private static ThreadStall stall(String process, ProcessEvent.OnTimeline event, String thread, Interruption own) {
        return new ThreadStall(event.atNs(), event.type(), process, thread, own, ThreadStall.Sight.NONE);
    }

    /** Turns each component of the event into a detail of the same name. */
    private static TimelineEvent byNames(String process, ProcessEvent.OnTimeline event) {
        Map<String, Object> details = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field :
                Json.tree(event, ObjectNode.class).properties()) {
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
        return TimelineEvent.of(event.atNs(), event.type(), process, thread, details);
    }
}
