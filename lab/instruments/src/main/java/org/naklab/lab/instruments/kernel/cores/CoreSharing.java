package org.naklab.lab.instruments.kernel.cores;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.TimelineListener;

/** Adds up the times of each pair of threads, and reports at most one event a second of each. One thread. */
public final class CoreSharing {
    private static final long PERIOD_NS = 1_000_000_000;

    private final TimelineListener listener;
    private final Map<List<Object>, CoreShared> sums = new LinkedHashMap<>();

    /** @param listener receives the events */
    public CoreSharing(TimelineListener listener) {
        this.listener = listener;
    }

    /** Takes one time; those of one CPU come in their order. */
    public void onShared(CoreShared shared) {
        List<Object> key = List.of(shared.process(), shared.thread(), shared.cpu(), shared.other());
        CoreShared before = sums.remove(key);
        if (before != null && shared.interval().endNs() - before.interval().beginNs() > PERIOD_NS) {
            listener.onEvent(before);
            before = null;
        }
        sums.put(key, before == null ? shared : before.plus(shared));
    }

    /** Reports what has not been reported yet. */
    public void finish() {
        sums.values().forEach(sum -> listener.onEvent(sum));
        sums.clear();
    }
}
