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
public record ThreadSample(String process, String thread, long timeNs, List<String> kernelStack, List<String> userStack)
        implements TimelineEvent {
    /** The CPU time of a thread between two of its samples, ns. */
    public static final long PERIOD_NS = 10_000_000;

    public ThreadSample {
        kernelStack = List.copyOf(kernelStack);
        userStack = List.copyOf(userStack);
    }

    @Override
    public TimelineEventType type() {
        return TimelineEventType.THREAD_SAMPLED;
    }

    @Override
    public Interval interval() {
        return new Interval(timeNs, timeNs);
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!kernelStack.isEmpty()) {
            details.put("kernelStack", Stacks.join(kernelStack));
        }
        if (!userStack.isEmpty()) {
            details.put("userStack", Stacks.join(userStack));
        }
        return details;
    }

    /** Returns the event as what it is. */
    public static ThreadSample of(TimelineEvent event) {
        return event instanceof ThreadSample known ? known : read(event);
    }

    private static ThreadSample read(TimelineEvent event) {
        return new ThreadSample(
                event.process(),
                event.thread(),
                event.timeNs(),
                Stacks.split(event.textDetail("kernelStack")),
                Stacks.split(event.textDetail("userStack")));
    }
}
