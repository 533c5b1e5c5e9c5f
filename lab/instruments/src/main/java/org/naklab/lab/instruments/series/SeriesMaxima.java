package org.naklab.lab.instruments.series;

import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.core.series.SeriesName;

/** The largest reading of each series within the window that counts. Written by the instruments' background thread. */
public final class SeriesMaxima implements SampleConsumer {
    private final Map<SeriesName, Long> maxima = new HashMap<>();
    private volatile long fromNs = Long.MAX_VALUE;

    /** Readings before that time are the processes' warming up. */
    public void countFrom(long timeNs) {
        fromNs = timeNs;
    }

    @Override
    public synchronized void onSample(long timeNs, Series series, long value) {
        if (timeNs - fromNs >= 0 && fromNs != Long.MAX_VALUE) {
            maxima.merge(series.name(), value, Math::max);
        }
    }

    public synchronized Map<SeriesName, Long> values() {
        return Map.copyOf(maxima);
    }

    @Override
    public void close() {}
}
