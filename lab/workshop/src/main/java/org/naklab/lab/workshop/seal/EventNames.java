package org.naklab.lab.workshop.seal;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * The names of events in a trainee's case. The lab calls some symptoms like the cause that it most often finds behind them; a trainee must see the symptom
 * alone.
 */
public final class EventNames {
    private static final Map<TimelineEventType, String> OTHERS = new EnumMap<>(Map.of(
            TimelineEventType.SLOW_CALLBACK, "CALLBACK_TIMED",
            TimelineEventType.TRAFFIC_BURST, "ARRIVALS_COUNTED",
            TimelineEventType.MEMORY_PRESSURE, "MEMORY_WAITED_FOR",
            TimelineEventType.MAJOR_FAULT, "PAGE_READ",
            TimelineEventType.CPU_THROTTLED, "CPU_TIME_USED_UP",
            TimelineEventType.GC_PAUSE, "COLLECTION",
            TimelineEventType.PROCESS_ENDED, "PROCESS_GONE",
            TimelineEventType.FOREIGN_DATAGRAMS, "OTHER_DATAGRAMS"));

    private static final Map<String, TimelineEventType> TYPES =
            OTHERS.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private EventNames() {}

    /** Returns the name that a trainee sees. */
    public static String of(TimelineEventType type) {
        return OTHERS.getOrDefault(type, type.name());
    }

    /**
     * Returns the type that a name stands for.
     *
     * @throws IllegalArgumentException there is none of that name
     */
    public static TimelineEventType typeOf(String name) {
        TimelineEventType type = TYPES.get(name);
        return type == null ? TimelineEventType.valueOf(name) : type;
    }
}
