package org.naklab.lab.watch.command.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.testing.events.Samples;

class EventLineTest {
    private final EventFormatter line = new EventFormatter(MonotonicToWallClock.at(ZoneOffset.UTC, Instant.EPOCH, 0));

    @Test
    void shouldSayWhatAThreadWaitedForAndWhere() {
        Map<String, Object> details = Map.of(
                "durationNs", 250_479_042L,
                "what", "waited for the lock of a.Registry, held by reporter",
                "where", "a.Feed.onMessage:5",
                "stack", "a.Feed.onMessage:5 < a.Main.main:3");
        assertThat(line.of(event(TimelineEventType.JAVA_WAIT, "feed-rx", details)))
                .isEqualTo(
                        "00:00:00.001  java wait            4711/feed-rx waited for the lock of a.Registry, held by reporter"
                                + " at a.Feed.onMessage:5, for 250.5 ms");
    }

    @Test
    void shouldSayWhichSocketDropped() {
        TimelineEvent dropped = new SocketEvent.Dropped(
                1_000_000,
                "4711",
                new SocketEvent.Socket(77, "239.1.2.3:4000", 4_000, ""),
                3,
                5,
                2_000_000,
                new SocketEvent.Fill(131_072, 131_072, null));
        assertThat(line.of(dropped))
                .isEqualTo("00:00:00.001  datagrams dropped    239.1.2.3:4000 dropped 3 datagrams, 5 in all");
    }

    private static TimelineEvent event(TimelineEventType type, String thread, Map<String, Object> details) {
        return TimelineEvent.of(1_000_000, type, "4711", thread, Samples.whole(type.form(), details));
    }
}
