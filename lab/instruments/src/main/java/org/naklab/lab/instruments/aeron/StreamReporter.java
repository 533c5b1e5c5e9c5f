package org.naklab.lab.instruments.aeron;

import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineListener;

/** Says of which process and stream an event is. */
final class StreamReporter {
    private final String process;
    private final TimelineListener listener;

    StreamReporter(String process, TimelineListener listener) {
        this.process = process;
        this.listener = listener;
    }

    String process() {
        return process;
    }

    /** Names a series of a stream. */
    SeriesName series(StreamCounters.Key key, String quantity) {
        return new SeriesName(SeriesSource.AERON, process, subject(key), quantity);
    }

    /** Names a series of a subscriber of a stream. */
    SeriesName seriesOfSubscriber(StreamCounters.Key key, String quantity) {
        String subject = subject(key) + ".subscriber" + key.registrationId();
        return new SeriesName(SeriesSource.AERON, process, subject, quantity);
    }

    private static String subject(StreamCounters.Key key) {
        return "stream" + key.streamId() + ".session" + key.sessionId();
    }

    static StreamEvent.Stream stream(StreamCounters.Key key) {
        return new StreamEvent.Stream(key.channel(), key.streamId(), key.sessionId());
    }

    void report(StreamEvent event) {
        listener.onEvent(event);
    }
}
