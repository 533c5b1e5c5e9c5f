package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WatchTimelineTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX = 800;
    private static final int DAYS = 100_000;

    private final WatchTimeline timeline = new WatchTimeline(event -> {}, MAX);

    @Test
    void shouldKeepStallsAndLossesHoweverLongTheWatchIs() {
        timeline.onEvent(at(100, TimelineEventType.THREAD_ABSENT));
        timeline.onEvent(at(100, TimelineEventType.STALL));
        flood(200, DAYS);
        timeline.onEvent(at(300_000, TimelineEventType.DATAGRAMS_DROPPED));

        assertThat(timeline.of(TimelineEventType.STALL)).hasSize(1);
        assertThat(timeline.of(TimelineEventType.DATAGRAMS_DROPPED)).hasSize(1);
        assertThat(timeline.of(TimelineEventType.THREAD_ABSENT)).hasSize(1);
        assertThat(timeline.events()).hasSizeLessThanOrEqualTo(MAX);
        assertThat(timeline.blind(timeline.events())).isEmpty();
    }

    @Test
    void shouldKeepTheLatestEventsOfAllTypes() {
        flood(200, DAYS);
        assertThat(timeline.in(new Interval((DAYS + 150) * SECOND_NS, (DAYS + 199) * SECOND_NS)))
                .hasSize(50);
    }

    @Test
    void shouldSayWhatItDropped() {
        assertThat(timeline.dropped()).isEmpty();
        flood(0, MAX + 1);
        assertThat(timeline.dropped())
                .hasValue("events that no stall and no loss needs were not kept: 400 thread busy");
    }

    @Test
    void shouldDropWhatWasDiscardedAtThePortsOfOthersOnly() {
        timeline.onEvent(ofPort(0, TimelineEventType.SOCKET_OPENED, 40_123));
        for (int i = 1; i <= MAX / 4; i++) {
            timeline.onEvent(ofPort(i, TimelineEventType.DATAGRAMS_DISCARDED, 53));
            timeline.onEvent(ofPort(i, TimelineEventType.DATAGRAMS_DISCARDED, 40_123));
        }
        flood(MAX, MAX);

        assertThat(timeline.of(TimelineEventType.DATAGRAMS_DISCARDED))
                .hasSize(MAX / 4)
                .allMatch(event -> event.longDetail("port", 0) == 40_123);
        assertThat(timeline.of(TimelineEventType.SOCKET_OPENED)).hasSize(1);
    }

    @Test
    void shouldBeBlindIfStallsAndLossesAreMoreThanItCanKeep() {
        for (int i = 0; i <= MAX; i++) {
            timeline.onEvent(at(i, TimelineEventType.STALL));
        }
        timeline.onEvent(at(2 * MAX, TimelineEventType.PROCESS_ENDED));

        assertThat(timeline.events()).hasSizeLessThanOrEqualTo(MAX);
        assertThat(timeline.blind(timeline.events()))
                .containsExactly("101 events of stalls and losses were not kept: there were more than 800 at a time");
    }

    @Test
    void shouldGiveAwayAStretchOfStalls() {
        timeline.onEvent(ofPort(0, TimelineEventType.SOCKET_OPENED, 40_123));
        for (int i = 1; i <= 700; i++) {
            timeline.onEvent(at(i, TimelineEventType.STALL));
        }
        assertThat(timeline.isFull()).isTrue();

        List<TimelineEvent> stretch = timeline.takeUntil(601 * SECOND_NS);

        assertThat(stretch).hasSize(601).first().matches(event -> event.type() == TimelineEventType.SOCKET_OPENED);
        assertThat(timeline.isFull()).isFalse();
        assertThat(timeline.events())
                .hasSize(101)
                .first()
                .matches(event -> event.type() == TimelineEventType.SOCKET_OPENED);
    }

    private void flood(int beginSecond, int count) {
        for (int i = 0; i < count; i++) {
            long beginNs = (beginSecond + i) * SECOND_NS;
            timeline.onEvent(new ThreadBusy("4711", "", new Interval(beginNs, beginNs + SECOND_NS / 2), 0, 0, 0));
        }
    }

    /** Half a second long. */
    private static TimelineEvent at(long second, TimelineEventType type) {
        return TimelineEvent.of(
                second * SECOND_NS, type, "4711", Samples.part(type.form(), Map.of("durationNs", SECOND_NS / 2)));
    }

    private static TimelineEvent ofPort(long second, TimelineEventType type, long port) {
        return TimelineEvent.of(second * SECOND_NS, type, "4711", Samples.whole(type.form(), Map.of("port", port)));
    }
}
