package org.naklab.lab.core.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a thread that was on a CPU did at one time.
 *
 * @param process name or pid
 * @param thread name
 * @param timeNs CLOCK_MONOTONIC, ns
 * @param kernelStack functions, innermost first; empty if the thread was in user mode
 * @param userStack functions, innermost first; empty if unknown
 */
public record ThreadSample(
        String process, String thread, long timeNs, List<String> kernelStack, List<String> userStack) {
    /** The CPU time of a thread between two of its samples, ns. */
    public static final long PERIOD_NS = 10_000_000;

    private static final String BETWEEN = " < ";

    public ThreadSample {
        kernelStack = List.copyOf(kernelStack);
        userStack = List.copyOf(userStack);
    }

    /** Returns it as an event of the timeline. */
    public TimelineEvent toEvent() {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!kernelStack.isEmpty()) {
            details.put("kernelStack", String.join(BETWEEN, kernelStack));
        }
        if (!userStack.isEmpty()) {
            details.put("userStack", String.join(BETWEEN, userStack));
        }
        return new TimelineEvent(timeNs, TimelineEventType.THREAD_SAMPLED, process, thread, details);
    }

    /**
     * Reads an event of the timeline.
     *
     * @param event a {@link TimelineEventType#THREAD_SAMPLED}
     */
    public static ThreadSample of(TimelineEvent event) {
        return new ThreadSample(
                event.process(),
                event.thread(),
                event.timeNs(),
                stack(event.textDetail("kernelStack")),
                stack(event.textDetail("userStack")));
    }

    private static List<String> stack(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(BETWEEN));
    }
}
