package org.naklab.lab.instruments.watch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.kernel.counters.UdpErrorInstrument;

/**
 * The instruments that say what they have looked at, and for which time.
 *
 * @param kernel {@code null}: not available, as are the others
 */
record WatchCoverage(
        @Nullable KernelInstrument kernel,
        @Nullable UdpErrorInstrument errors,
        @Nullable ReceivedPortsInstrument ports) {
    /**
     * Returns the events that say what was looked at until now.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    List<TimelineEvent> until(long nowNs) {
        List<TimelineEvent> events = new ArrayList<>();
        if (kernel != null) {
            events.addAll(kernel.recordedUntil(nowNs));
        }
        if (errors != null) {
            events.add(errors.counted());
        }
        if (ports != null) {
            events.addAll(ports.observed());
        }
        return events;
    }
}
