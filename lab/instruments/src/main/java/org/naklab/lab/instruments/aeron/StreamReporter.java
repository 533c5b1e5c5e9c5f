package org.naklab.lab.instruments.aeron;

import java.util.HashMap;
import java.util.Map;
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

    String seriesPrefix(StreamCounters.Key key) {
        return "aeron." + process + ".stream" + key.streamId() + ".session" + key.sessionId() + '.';
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
