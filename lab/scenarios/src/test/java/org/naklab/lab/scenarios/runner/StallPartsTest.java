package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

@Timeout(60)
class StallPartsTest {
    private static final long MS = 1_000_000;

    private final StallParts parts = new StallParts();

    @Test
    void shouldPassWhatBelongsToAStallAndNothingElse() {
        TimelineEvent before = waits("mds", "mds-context", 50, 70);
        TimelineEvent within = waits("mds", "mds-context", 90, 110);
        TimelineEvent sample = new ThreadSample("mds", "mds-context", 150 * MS, List.of(), List.of("main"));
        TimelineEvent ofOther = waits("gateway-1", "gateway-1-context", 90, 110);
        TimelineEvent late = waits("mds", "mds-context", 190, 210);
        TimelineEvent stall = stall(100, 200);

        assertThat(parts.take(before)).isEmpty();
        assertThat(parts.take(within)).isEmpty();
        assertThat(parts.take(sample)).isEmpty();
        assertThat(parts.take(ofOther)).isEmpty();
        assertThat(parts.take(stall)).containsExactly(within, sample, stall);
        assertThat(parts.take(late)).containsExactly(late);
        assertThat(parts.take(waits("mds", "mds-context", 210, 230))).isEmpty();
    }

    @Test
    void shouldPassOtherEventsAtOnceAndForgetOldParts() {
        TimelineEvent drop = TimelineEvent.of(
                5,
                TimelineEventType.DATAGRAMS_DROPPED,
                "mds",
                Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of()));
        assertThat(parts.take(drop)).containsExactly(drop);
        assertThat(parts.take(waits("mds", "mds-context", 90, 110))).isEmpty();
        assertThat(parts.take(waits("mds", "mds-context", 60_000, 60_020))).isEmpty();
        assertThat(parts.take(stall(100, 200))).hasSize(1);
    }

    private static TimelineEvent waits(String process, String thread, long fromMs, long toMs) {
        Interval interval = new Interval(fromMs * MS, toMs * MS);
        return new ShortWaits(process, thread, interval, 5 * MS, 0, "", false, List.of());
    }

    private static TimelineEvent stall(long fromMs, long toMs) {
        return TimelineEvent.of(
                fromMs * MS, TimelineEventType.STALL, "mds", "mds-context", Map.of("durationMs", (double)
                        (toMs - fromMs)));
    }
}
