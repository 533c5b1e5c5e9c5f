package org.naklab.lab.core.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One time in which a thread ran and waited in turns, each wait too short for an event of its own.
 *
 * @param process name or pid
 * @param thread name
 * @param interval from the first wait to the last
 * @param blockedNs how long the thread waited for something other than a CPU, ns
 * @param runnableNs how long it was runnable without a CPU, ns
 * @param waker name of the thread that ended the longest wait; empty if unknown
 * @param isWakerOfProcess whether the waker belongs to the same process
 * @param kernelStack of the longest wait, innermost first; empty if unknown, or if all waits were shorter than 1 ms
 */
public record ShortWaits(
        String process,
        String thread,
        Interval interval,
        long blockedNs,
        long runnableNs,
        String waker,
        boolean isWakerOfProcess,
        List<String> kernelStack)
        implements TimelineEvent {

    public ShortWaits {
        kernelStack = List.copyOf(kernelStack);
    }

    /** Returns which share of the time lies within an interval, 0 to 1. */
    public double shareIn(Interval other) {
        return interval.coveredBy(List.of(other));
    }

    @Override
    public TimelineEventType type() {
        return TimelineEventType.THREAD_WAITED;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("durationNs", interval.lengthNs());
        details.put("blockedNs", blockedNs);
        details.put("runnableNs", runnableNs);
        if (!waker.isEmpty()) {
            details.put("waker", waker);
            details.put("wakerOfProcess", isWakerOfProcess);
        }
        if (!kernelStack.isEmpty()) {
            details.put("kernelStack", Stacks.join(kernelStack));
        }
        return details;
    }

    /** Returns the event as what it is. */
    public static ShortWaits of(TimelineEvent event) {
        return event instanceof ShortWaits known ? known : read((UntypedEvent) event);
    }

    private static ShortWaits read(UntypedEvent event) {
        String stack = event.textDetail("kernelStack");
        return new ShortWaits(
                event.process(),
                event.thread(),
                event.interval(),
                event.longDetail("blockedNs", 0),
                event.longDetail("runnableNs", 0),
                event.textDetail("waker"),
                Boolean.TRUE.equals(event.detail("wakerOfProcess")),
                Stacks.split(stack));
    }
}
