package org.naklab.lab.instruments.aeron;

import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
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

    void report(long timeNs, TimelineEventType type, StreamCounters.Key key, Map<String, Object> figures) {
        Map<String, Object> details = new HashMap<>(figures);
        details.put("streamId", key.streamId());
        details.put("sessionId", key.sessionId());
        details.put("channel", key.channel());
        report(timeNs, type, details);
    }

    void report(long timeNs, TimelineEventType type, Map<String, Object> details) {
        listener.onEvent(TimelineEvent.of(timeNs, type, process, details));
    }
}
