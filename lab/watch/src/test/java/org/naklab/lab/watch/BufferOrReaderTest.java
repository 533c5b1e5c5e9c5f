package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(60)
final class BufferOrReaderTest {
    private static final String PROCESS = "4711";
    private static final long MS = 1_000_000;
    private static final long LIMIT = 212_992;
    private static final long ALLOWED = 8 << 20;

    private final List<TimelineEvent> events = new ArrayList<>();

    /** The buffer was full after 50 ms: at that rate, 100 ms need twice as much. */
    @Test
    void shouldTellTheBufferThatWouldHaveSurvivedNearlyAll() {
        for (int i = 0; i < 10; i++) {
            stall(1_000L * i, 60 + 4L * i);
            dropped(1_000L * i + 50, 7, 10);
        }

        assertThat(lines())
                .containsExactly("0.0.0.0:40123: it dropped 100 datagrams; its reader was away 10 times, 96.0 ms at"
                        + " most; a buffer of 382 KiB would have survived 9 of 10; the kernel allows 8 MiB here");
    }

    @Test
    void shouldHaveALineForEachSocket() {
        stall(0, 100);
        dropped(50, 7, 10);
        stall(1_000, 100);
        dropped(1_025, 8, 20);

        assertThat(lines())
                .hasSize(2)
                .anyMatch(line -> line.contains("a buffer of 416 KiB would have survived that"))
                .anyMatch(line -> line.contains("a buffer of 832 KiB would have survived that"));
    }

    @Test
    void shouldSayThatNoReaderWasAway() {
        dropped(50, 7, 10);

        assertThat(lines())
                .containsExactly("0.0.0.0:40123: no reader was seen away while it dropped 10 datagrams: more came in at"
                        + " once than its buffer of 208 KiB holds, or than its reader takes");
    }

    @Test
    void shouldNotGuessABufferThatWasFullBefore() {
        stall(100, 100);
        dropped(60, 7, 10);
        events.add(TimelineEvent.of(
                60 * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Map.of(
                        "inode",
                        7L,
                        "local",
                        "0.0.0.0:40123",
                        "datagrams",
                        5L,
                        "limitBytes",
                        LIMIT,
                        "detectedNs",
                        150 * MS)));

        assertThat(lines()).singleElement().asString().contains("the buffer was full before");
    }

    @Test
    void shouldSayNothingOfSocketsThatLostNothing() {
        stall(0, 100);
        assertThat(lines()).isEmpty();
    }

    private List<String> lines() {
        return BufferOrReader.lines(PROCESS, events, ALLOWED);
    }

    private void stall(long atMs, long lengthMs) {
        events.add(TimelineEvent.of(
                atMs * MS,
                TimelineEventType.STALL,
                PROCESS,
                "recv",
                Map.of("durationNs", lengthMs * MS, "endNs", (atMs + lengthMs) * MS)));
    }

    private void dropped(long atMs, long inode, long datagrams) {
        events.add(TimelineEvent.of(
                atMs * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Map.of("inode", inode, "local", "0.0.0.0:40123", "datagrams", datagrams, "limitBytes", LIMIT)));
    }
}
