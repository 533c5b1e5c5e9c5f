package org.naklab.lab.instruments.sampling;

import java.util.function.LongSupplier;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.Series;

/** A number that something else keeps, such as the depth of a ring or the lag of a journal, sampled and judged. */
public final class GaugeInstrument extends CounterInstrument {
    private static final long PERIOD_NS = 20 * MILLISECOND_NS;

    private final String process;
    private final long threshold;
    private final TimelineEventType type;
    private final TimelineListener listener;
    private final GaugeDetector rule;

    /**
     * Creates an instrument for a gauge.
     *
     * @param quantity with its unit, such as {@code ringDepthSlots}
     * @param gauge read on the sampler's thread, by native code if it is a {@link MappedCounter}; must not block
     * @param threshold from which on it is high
     * @param persistNs how long it must be, to be reported
     * @param type of the event
     */
    public GaugeInstrument(
            String process,
            String quantity,
            LongSupplier gauge,
            long threshold,
            long persistNs,
            TimelineEventType type,
            TimelineListener listener) {
        super(gauge, PERIOD_NS, new Series(SeriesName.ofProcess(SeriesSource.GAUGE, process, quantity)));
        this.process = process;
        this.threshold = threshold;
        this.type = type;
        this.listener = listener;
        rule = new GaugeDetector(threshold, persistNs);
    }

    @Override
    public String describe() {
        return seriesName() + ", high from " + threshold + " on";
    }

    @Override
    void judge(long nowNs, long value) {
        record(nowNs, value);
        if (rule.update(nowNs, value)) {
            listener.onEvent(
                    new HostEvent.GaugeRise(rule.beganNs(), type, process, seriesName(), value, threshold, nowNs));
        }
    }

    @Override
    public void close() {}
}
