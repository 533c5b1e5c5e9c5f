package org.naklab.lab.cli.live;

import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.live.LiveSource;

/** Puts what instruments read and report into a feed. */
record FeedConsumer(LiveSource source) implements SampleConsumer {
    @Override
    public void onSample(long timeNs, Series series, long value) {
        source.onSample(timeNs, series.name(), value);
    }

    @Override
    public void onEvent(TimelineEvent event) {
        source.onEvent(event);
    }

    @Override
    public void onProgress(long nowNs) {
        source.onProgress(nowNs);
    }

    @Override
    public void close() {
        source.close();
    }
}
