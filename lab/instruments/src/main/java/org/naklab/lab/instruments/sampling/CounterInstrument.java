package org.naklab.lab.instruments.sampling;

import java.util.function.LongSupplier;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** Takes the readings of one number, in their order, and keeps a series of what it makes of them. */
abstract class CounterInstrument implements Instrument, Watchpoints.Source {
    private final CounterReader readings;
    private final ReadingBuffer.Consumer judge = this::judge;
    private final Series series;

    /** Sink of the current sample. */
    private SampleSink sink = SampleSink.NONE;

    /** @param number read on the sampler's thread, by native code if it is a {@link MappedCounter}; must not block */
    CounterInstrument(LongSupplier number, long periodNs, Series series) {
        readings = new CounterReader(number, periodNs);
        this.series = series;
    }

    /** Judges the value that the counter had at that time. */
    abstract void judge(long timeNs, long value);

    final String seriesName() {
        return series.toString();
    }

    final void record(long timeNs, long value) {
        sink.record(series, timeNs, value);
    }

    @Override
    public final long periodNs() {
        return readings.periodNs();
    }

    @Override
    public final void addTo(Watchpoints words) {
        readings.addTo(words);
    }

    @Override
    public final void sample(long nowNs, SampleSink newSink) {
        sink = newSink;
        readings.take(nowNs, judge);
    }
}
