package org.naklab.lab.detect;

import java.util.Map;
import java.util.function.LongSupplier;

/** A number that something else keeps, such as the depth of a ring or the lag of a journal, sampled and judged. */
public final class GaugeInstrument implements Instrument, WordHolder {
    private static final long PERIOD_NS = 20 * MILLISECOND_NS;

    private final String process;
    private final Readings readings;
    private final ReadingConsumer judge = this::judge;
    private final long threshold;
    private final TimelineEventType type;
    private final TimelineListener listener;
    private final Series series;
    private final GaugeRule rule;
    /** Of the sample that is being taken. */
    private SampleSink sink = SampleSink.NONE;

    /**
     * A gauge.
     *
     * @param quantity with its unit, such as {@code ringDepthSlots}
     * @param gauge read on the sampler's thread, by native code if it is a {@link MappedNumber}; must not block
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
        this.process = process;
        readings = new Readings(gauge, PERIOD_NS);
        this.threshold = threshold;
        this.type = type;
        this.listener = listener;
        series = new Series("gauge." + process + '.' + quantity);
        rule = new GaugeRule(threshold, persistNs);
    }

    @Override
    public String describe() {
        return series.name() + ", high from " + threshold + " on";
    }

    @Override
    public long periodNs() {
        return readings.periodNs();
    }

    @Override
    public void addTo(Words words) {
        readings.addTo(words);
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        this.sink = sink;
        readings.take(nowNs, judge);
    }

    private void judge(long nowNs, long value) {
        sink.record(series, nowNs, value);
        if (rule.update(nowNs, value)) {
            Map<String, Object> details =
                    Map.of("gauge", series.name(), "value", value, "threshold", threshold, "seenNs", nowNs);
            listener.onEvent(TimelineEvent.of(rule.beganNs(), type, process, details));
        }
    }

    @Override
    public void close() {}
}
