package org.naklab.lab.scenarios.runner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
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
                .flatMap(TimelineEvent.only(StreamEvent.LossReported.class))
                .filter(event -> event.process().equals(receiver))
                .filter(event -> event.stream().streamId() == Topic.ORDER_BOOK_EVENTS.streamId())
                .forEach(event ->
                        bytes.merge(event.stream().sessionId() + "@" + event.source(), event.totalBytes(), Math::max));
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private long droppedDatagrams(String receiver) {
        return timeline.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> drop.process().equals(receiver) && drop.port() == port)
                .mapToLong(SocketEvent.Dropped::datagrams)
                .sum();
    }
}
