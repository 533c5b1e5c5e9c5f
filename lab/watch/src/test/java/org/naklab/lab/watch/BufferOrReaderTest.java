package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

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
            dropped(1_000L * i + 50, 1_000L * i + 60 + 4L * i, 7, 10 + 4L * i);
        }

        assertThat(lines())
                .containsExactly("0.0.0.0:40123: it dropped 280 datagrams; its reader was away 10 times, 96.0 ms at"
                        + " most; a buffer of 382 KiB would have survived 9 of 10; the kernel allows 8 MiB here");
    }

    /** The sender paused in the second stall: what came in is what was dropped, however long the stall lasted. */
    @Test
    void shouldCountWhatCameInAndNotHowLongTheReaderWasAway() {
        for (int i = 0; i < 3; i++) {
            stall(1_000L * i, 100);
            dropped(1_000L * i + 50, 1_000L * i + 100, 7, 50);
        }
        stall(3_000, 400);
        dropped(3_050, 3_100, 7, 50);

        assertThat(lines()).singleElement().asString().contains("a buffer of 416 KiB would have survived 4 of 4");
    }

    /** The first datagram of the stall came in 50 ms after its begin. */
    @Test
    void shouldCountTheFillFromTheRise() {
        stall(0, 200);
        events.add(TimelineEvent.of(
                50 * MS,
                TimelineEventType.SOCKET_DEPTH_RISE,
                PROCESS,
                Samples.whole(TimelineEventType.SOCKET_DEPTH_RISE.form(), Map.of("inode", 7L, "limitBytes", LIMIT))));
        dropped(100, 200, 7, 100);

        assertThat(lines()).singleElement().asString().contains("a buffer of 624 KiB would have survived that");
    }

    @Test
    void shouldHaveALineForEachSocket() {
        stall(0, 100);
        dropped(50, 100, 7, 10);
        stall(1_000, 100);
        dropped(1_025, 1_100, 8, 20);

        assertThat(lines())
                .hasSize(2)
                .anyMatch(line -> line.contains("a buffer of 416 KiB would have survived that"))
                .anyMatch(line -> line.contains("a buffer of 832 KiB would have survived that"));
    }

    /** A stall that is under way is not known yet, and one line every ten seconds is enough. */
    @Test
    void shouldTellOnceAndWhenTheStallIsOver() {
        stall(0, 100);
        dropped(50, 100, 7, 10);
        BufferOrReader buffers = buffers();

        assertThat(buffers.takeNews(2_500 * MS, 900 * MS, BufferOrReaderTest::neverAsked))
                .isEmpty();
        assertThat(buffers.takeNews(2_800 * MS, 1_200 * MS, () -> ALLOWED))
                .singleElement()
                .asString()
                .contains("away once");
        assertThat(buffers.takeNews(20_000 * MS, 20_000 * MS, BufferOrReaderTest::neverAsked))
                .isEmpty();

        stall(20_000, 100);
        dropped(20_050, 20_100, 7, 10);
        buffers.onEvent(events.get(2));
        buffers.onEvent(events.get(3));
        assertThat(buffers.takeNews(23_000 * MS, 21_200 * MS, () -> ALLOWED))
                .singleElement()
                .asString()
                .contains("away 2 times");
    }

    /** On a busy machine the records of a stall come late; nobody may be told meanwhile that there was none. */
    @Test
    void shouldNotSayThatNoReaderWasAwayBeforeTheStallsAreTold() {
        dropped(50, 60, 7, 10);
        BufferOrReader buffers = buffers();
        assertThat(buffers.takeNews(14_000 * MS, 50 * MS, BufferOrReaderTest::neverAsked))
                .isEmpty();

        stall(0, 100);
        buffers.onEvent(events.get(1));
        assertThat(buffers.takeNews(14_100 * MS, 1_100 * MS, () -> ALLOWED))
                .singleElement()
                .asString()
                .contains("away once");
    }

    @Test
    void shouldSayThatNoReaderWasAway() {
        dropped(50, 60, 7, 10);

        assertThat(lines())
                .containsExactly("0.0.0.0:40123: no reader was seen away while it dropped 10 datagrams: more came in at"
                        + " once than its buffer of 208 KiB holds, or than its reader takes");
    }

    @Test
    void shouldNotGuessABufferThatWasFullBefore() {
        stall(100, 100);
        dropped(60, 100, 7, 10);
        events.add(TimelineEvent.of(
                60 * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DROPPED.form(),
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
                                150 * MS))));

        assertThat(lines()).singleElement().asString().contains("the buffer was full before");
    }

    @Test
    void shouldSayNothingOfSocketsThatLostNothing() {
        stall(0, 100);
        assertThat(lines()).isEmpty();
    }

    private List<String> lines() {
        return buffers().lines(ALLOWED);
    }

    private BufferOrReader buffers() {
        BufferOrReader buffers = new BufferOrReader(PROCESS);
        events.forEach(buffers::onEvent);
        return buffers;
    }

    private void stall(long atMs, long lengthMs) {
        events.add(TimelineEvent.of(
                atMs * MS,
                TimelineEventType.STALL,
                PROCESS,
                "recv",
                Map.of("durationNs", lengthMs * MS, "endNs", (atMs + lengthMs) * MS)));
    }

    private void dropped(long atMs, long detectedMs, long inode, long datagrams) {
        events.add(TimelineEvent.of(
                atMs * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DROPPED.form(),
                        Map.of(
                                "inode",
                                inode,
                                "local",
                                "0.0.0.0:40123",
                                "datagrams",
                                datagrams,
                                "limitBytes",
                                LIMIT,
                                "detectedNs",
                                detectedMs * MS))));
    }

    /** Stands for a file of the kernel that need not be read while there is nothing to say. */
    private static long neverAsked() {
        throw new AssertionError("asked without news");
    }
}
