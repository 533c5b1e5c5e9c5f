package org.naklab.lab.instruments.series;

import org.naklab.lab.core.timeline.TimelineEvent;

/** Takes the samples that changed, in order, on the background thread. */
public interface SampleConsumer extends AutoCloseable {
    void onSample(long timeNs, Series series, long value);

    /** Receives every event, in order with the samples as far as the hand-over preserves it. */
    default void onEvent(TimelineEvent event) {}

    /** Called now and then, with the time up to which samples have been handed over. */
    default void onProgress(long nowNs) {}

    @Override
    void close();
}
