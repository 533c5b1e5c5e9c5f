package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.messaging.Topic;
import org.naklab.testing.events.Samples;

@Timeout(60)
class NetworkLossEstimatorTest {
    private static final int PORT = 36_517;
    private static final int MTU_BYTES = 96;

    private final List<TimelineEvent> timeline = new ArrayList<>();

    /** Figures of a run in which 180 datagrams were lost on purpose while the machine's stall overflowed the socket. */
    @Test
    void shouldTellWhatTheDroppedDatagramsCannotHaveHad() {
        drop("mds", PORT, 41);
        drop("mds", PORT, 1_228);
        lose("mds", 1, Topic.ORDER_BOOK_EVENTS, 4_800);
        lose("mds", 1, Topic.ORDER_BOOK_EVENTS, 123_648);
        lose("mds", 1, Topic.ORDER_BOOK_EVENTS, 138_144);
        assertThat(lostOnTheWayBytes("mds")).isEqualTo(138_144 - 1_269 * MTU_BYTES);
    }

    @Test
    void shouldTellNothingOfWhatTheDropsAccountFor() {
        drop("mds", PORT, 10);
        lose("mds", 1, Topic.ORDER_BOOK_EVENTS, 10 * MTU_BYTES);
        assertThat(lostOnTheWayBytes("mds")).isZero();
    }

    @Test
    void shouldAddUpSessionsAndLeaveOutOthersStreamsSocketsAndReceivers() {
        drop("mds", PORT + 1, 1_000);
        drop("gateway-1", PORT, 1_000);
        lose("mds", 1, Topic.ORDER_BOOK_EVENTS, 960);
        lose("mds", 2, Topic.ORDER_BOOK_EVENTS, 96);
        lose("mds", 3, Topic.ORDER_BOOK_SNAPSHOTS, 64_000);
        lose("gateway-1", 1, Topic.ORDER_BOOK_EVENTS, 9_600);
        assertThat(lostOnTheWayBytes("mds")).isEqualTo(960 + 96);
        assertThat(lostOnTheWayBytes("gateway-1")).isZero();
    }

    private long lostOnTheWayBytes(String receiver) {
        return new NetworkLossEstimator(timeline, PORT, MTU_BYTES).lostOnTheWayBytes(receiver);
    }

    private void drop(String receiver, int port, long datagrams) {
        add(TimelineEventType.DATAGRAMS_DROPPED, receiver, Map.of("port", port, "datagrams", datagrams));
    }

    private void lose(String receiver, int sessionId, Topic topic, long totalBytes) {
        add(
                TimelineEventType.LOSS_REPORTED,
                receiver,
                Map.of(
                        "sessionId",
                        sessionId,
                        "streamId",
                        topic.streamId(),
                        "source",
                        "127.0.0.1:35593",
                        "totalBytes",
                        totalBytes));
    }

    private void add(TimelineEventType type, String receiver, Map<String, Object> details) {
        timeline.add(TimelineEvent.of(timeline.size(), type, receiver, Samples.whole(type.form(), details)));
    }
}
