package org.naklab.lab.scenarios.runner;

import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.Series;

/** Hands the samples on; the events reach that consumer by the run's timeline, the replica's own among them. */
record SamplesOnly(SampleConsumer consumer) implements SampleConsumer {
    @Override
    public void onSample(long timeNs, Series series, long value) {
        consumer.onSample(timeNs, series, value);
    }

    @Override
    public void onProgress(long nowNs) {
        consumer.onProgress(nowNs);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
