package org.naklab.lab.instruments.sampling;

import java.util.function.LongSupplier;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.Series;

/**
 * A rate from a count that only grows, such as messages published by the exchange or received by a second subscriber, or a stream
 * position in bytes; and bursts of it by rule.
 */
public final class RateInstrument extends CounterInstrument {
    /** Bytes in 10 ms below which nothing is a burst of the replica's: some 150 small messages. */
    public static final long LEAST_BURST_BYTES = 16_384;

    private static final long WINDOWS_PER_SECOND = 1_000_000_000L / BurstDetector.WINDOW_NS;

    private final String process;
    private final TimelineListener listener;
    private final BurstDetector rule;
    private long windowBeganNs;
    private long lastCount;
    private boolean first = true;

    /**
     * Creates an instrument for a rate.
     *
     * @param quantity what is counted, such as {@code messages}
     * @param count read on the sampler's thread, by native code if it is a {@link MappedCounter}; must not block
     * @param minimumBurst arrivals in 10 ms below which nothing is a burst
     */
    public RateInstrument(
            String process, String quantity, LongSupplier count, long minimumBurst, TimelineListener listener) {
        super(
                count,
                BurstDetector.WINDOW_NS,
                new Series(SeriesName.ofProcess(SeriesSource.RATE, process, quantity + "PerSecond")));
        this.process = process;
        this.listener = listener;
        rule = new BurstDetector(minimumBurst);
    }

    @Override
    public String describe() {
        return seriesName() + " in windows of 10 ms";
    }

    @Override
    void judge(long nowNs, long now) {
        if (!first) {
            long elapsedNs = Math.max(1, nowNs - windowBeganNs);
            long arrivals = (long) ((now - lastCount) * (double) BurstDetector.WINDOW_NS / elapsedNs);
            record(nowNs, arrivals * WINDOWS_PER_SECOND);
            if (rule.update(windowBeganNs, arrivals)) {
                report();
            }
        }
        first = false;
        windowBeganNs = nowNs;
        lastCount = now;
    }

    @Override
    public void close() {
        if (rule.end(windowBeganNs)) {
            report();
        }
    }

    private void report() {
        listener.onEvent(new DatagramEvent.Burst(
                new Interval(rule.beganNs(), rule.beganNs() + rule.lengthNs()),
                process,
                seriesName(),
                rule.peak() * WINDOWS_PER_SECOND,
                rule.formerBaseline() * WINDOWS_PER_SECOND,
                rule.total()));
    }
}
