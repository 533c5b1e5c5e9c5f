package org.naklab.lab.scenarios.runner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.messaging.Topic;

/**
 * Compares the missing bytes of the order flow with the drops of the sockets, over the whole run. Aeron's loss report counts each missing
 * byte once, however often it is requested; and a dropped datagram contained at most as many bytes as the longest that the exchange sends.
 */
final class NetworkLossEstimator {
    private final List<TimelineEvent> timeline;
    private final int port;
    private final int longestDatagramBytes;

    /**
     * Creates an estimator for the order flow.
     *
     * @param timeline of the run
     * @param port UDP port of the order flow
     */
    NetworkLossEstimator(List<TimelineEvent> timeline, int port, int longestDatagramBytes) {
        this.timeline = timeline;
        this.port = port;
        this.longestDatagramBytes = longestDatagramBytes;
    }

    /** Bytes of a receiver's loss that no datagram can have had that its socket dropped: at least so many were lost on the way. */
    long lostOnTheWayBytes(String receiver) {
        return Math.max(0, missingBytes(receiver) - droppedDatagrams(receiver) * longestDatagramBytes);
    }

    /** Entries of the report grow; there is one for each publisher's session. */
    private long missingBytes(String receiver) {
        Map<String, Long> bytes = new HashMap<>();
        timeline.stream()
                .filter(event -> event.type() == TimelineEventType.LOSS_REPORTED)
                .filter(event -> event.process().equals(receiver))
                .filter(event -> event.longDetail("streamId", 0) == Topic.ORDER_BOOK_EVENTS.streamId())
                .forEach(event -> bytes.merge(
                        event.detail("sessionId") + "@" + event.detail("source"),
                        event.longDetail("totalBytes", 0),
                        Math::max));
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private long droppedDatagrams(String receiver) {
        return timeline.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DROPPED)
                .filter(event -> event.process().equals(receiver) && event.longDetail("port", 0) == port)
                .mapToLong(event -> event.longDetail("datagrams", 0))
                .sum();
    }
}
