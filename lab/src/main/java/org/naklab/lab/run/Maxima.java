package org.naklab.lab.run;

import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.detect.SampleConsumer;
import org.naklab.lab.detect.Series;

/** The largest reading of each series within the window that counts. Written by the instruments' background thread. */
final class Maxima implements SampleConsumer {
    private final Map<String, Long> maxima = new HashMap<>();
    private volatile long fromNs = Long.MAX_VALUE;

    /** Readings before that time are the processes' warming up. */
    void countFrom(long timeNs) {
        fromNs = timeNs;
    }

    @Override
    public synchronized void onSample(long timeNs, Series series, long value) {
        if (timeNs - fromNs >= 0 && fromNs != Long.MAX_VALUE) {
            maxima.merge(series.name(), value, Math::max);
        }
    }

    synchronized Map<String, Long> values() {
        return Map.copyOf(maxima);
    }

    @Override
    public void close() {}
}
