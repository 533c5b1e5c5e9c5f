package org.naklab.lab.terminal.live;

import java.util.List;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BookViewer;
import org.naklab.lab.core.pace.PaceViewer;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.report.live.LiveSource;

/** Puts what instruments read and report, how far processes are, and the books of customers, into a feed. */
record FeedConsumer(LiveSource source) implements SampleConsumer, BookViewer, PaceViewer {
    @Override
    public void onSample(long timeNs, Series series, long value) {
        source.onSample(timeNs, series.name(), value);
    }

    @Override
    public void onEvent(TimelineEvent event) {
        source.onEvent(event);
    }

    @Override
    public void onBooks(List<BookView> books) {
        source.onBooks(books);
    }

    @Override
    public void onPace(ProcessPace pace) {
        source.onPace(pace);
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
