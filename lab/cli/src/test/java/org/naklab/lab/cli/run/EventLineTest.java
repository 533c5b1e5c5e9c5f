package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.cli.terminal.EventFormatter;
import org.naklab.lab.cli.terminal.MonotonicToWallClock;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

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
                .isEqualTo("00:00:00.001  java wait            4711/feed-rx  duration 250.5 ms,"
                        + " waited for the lock of a.Registry, held by reporter, at a.Feed.onMessage:5");
    }

    @Test
    void shouldSayWhichSocketDropped() {
        Map<String, Object> details =
                Map.of("local", "239.1.2.3:4000", "inode", 77L, "groups", "", "datagrams", 3L, "limitBytes", 131_072L);
        assertThat(line.of(event(TimelineEventType.DATAGRAMS_DROPPED, "", details)))
                .isEqualTo("00:00:00.001  datagrams dropped    239.1.2.3:4000 (inode 77)  datagrams 3, limit 128 KiB");
    }

    private static TimelineEvent event(TimelineEventType type, String thread, Map<String, Object> details) {
        return TimelineEvent.of(1_000_000, type, "4711", thread, details);
    }
}
