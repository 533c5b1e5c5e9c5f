package org.naklab.lab.detect;

import java.util.function.LongSupplier;

/** Takes the readings of one number, in their order, and keeps a series of what it makes of them. */
abstract class ReadingInstrument implements Instrument, WordHolder {
    private final Readings readings;
    private final ReadingConsumer judge = this::judge;
    private final Series series;

    /** Of the sample that is being taken. */
    private SampleSink sink = SampleSink.NONE;

    /** @param number read on the sampler's thread, by native code if it is a {@link MappedNumber}; must not block */
    ReadingInstrument(LongSupplier number, long periodNs, Series series) {
        readings = new Readings(number, periodNs);
        this.series = series;
    }

    /** What the number was at that time. */
    abstract void judge(long timeNs, long value);

    final String seriesName() {
        return series.name();
    }

    final void record(long timeNs, long value) {
        sink.record(series, timeNs, value);
    }

    @Override
    public final long periodNs() {
        return readings.periodNs();
    }

    @Override
    public final void addTo(Words words) {
        readings.addTo(words);
    }

    @Override
    public final void sample(long nowNs, SampleSink newSink) {
        sink = newSink;
        readings.take(nowNs, judge);
    }
}
