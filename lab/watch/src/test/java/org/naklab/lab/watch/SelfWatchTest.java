package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

class SelfWatchTest {
    private static final Interval TEST = new Interval(1_000, 5_000);

    /** A test whose method is over sends nothing more: the silence that follows is none of the feed. */
    @Test
    void shouldNotCountASilenceThatGoesOnAfterTheTest() {
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 4_000, 2_000)).isTrue();
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 6_000, 1_000)).isTrue();
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 2_000, 3_000)).isFalse();
        assertThat(isOfTheEnd(TimelineEventType.STALL, 4_000, 2_000)).isFalse();
    }

    private static boolean isOfTheEnd(TimelineEventType type, long beganNs, long durationNs) {
        TimelineEvent event =
                TimelineEvent.of(beganNs, type, "1", Samples.whole(type.form(), Map.of("durationNs", durationNs)));
        assertThat(event.endNs()).isEqualTo(beganNs + durationNs);
        return SelfWatch.isOfTheEnd(event, TEST);
    }
}
