package org.naklab.lab.scenarios.runner;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;

/** Passes stalls on to the listener of a run while the run goes on, on the run's own thread. */
final class StallAnnouncer implements TimelineListener {
    private final Queue<TimelineEvent> stalls = new ConcurrentLinkedQueue<>();
    private final long flowBeganNs;
    private final long countedFromNs;

    /** @param countedFromNs stalls that began before this time belong to the warm-up, and are not announced */
    StallAnnouncer(long flowBeganNs, long countedFromNs) {
        this.flowBeganNs = flowBeganNs;
        this.countedFromNs = countedFromNs;
    }

    @Override
    public void onEvent(TimelineEvent event) {
        if (event.type() == TimelineEventType.STALL && event.timeNs() >= countedFromNs) {
            stalls.add(event);
        }
    }

    void announceTo(RunListener listener) {
        for (TimelineEvent stall = stalls.poll(); stall != null; stall = stalls.poll()) {
            listener.onStall(stall.timeNs() - flowBeganNs, stall.process(), stall.thread(), stall.durationNs());
        }
    }
}
