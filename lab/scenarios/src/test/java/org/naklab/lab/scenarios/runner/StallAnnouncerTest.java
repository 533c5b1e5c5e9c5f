package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

final class StallAnnouncerTest {
    private static final long MS = 1_000_000;

    private final StallAnnouncer announcer = new StallAnnouncer(1_000 * MS, 2_000 * MS);
    private final List<String> announced = new ArrayList<>();

    private final RunListener listener = new RunListener() {
        @Override
        public void onStall(long atNs, String process, String thread, long durationNs) {
            announced.add(process + " " + thread + " " + atNs / MS + " " + durationNs / MS);
        }
    };

    @Test
    void shouldAnnounceEachStallOnce() {
        event(TimelineEventType.STALL, 3_500, 150);
        announcer.announceTo(listener);
        announcer.announceTo(listener);
        assertThat(announced).containsExactly("mds mds-context 2500 150");
    }

    @Test
    void shouldNotAnnounceTheWarmUpNorOtherEvents() {
        event(TimelineEventType.STALL, 1_999, 150);
        event(TimelineEventType.THREAD_ABSENT, 3_500, 150);
        announcer.announceTo(listener);
        assertThat(announced).isEmpty();
    }

    private void event(TimelineEventType type, long atMs, long durationMs) {
        announcer.onEvent(TimelineEvent.of(
                atMs * MS,
                type,
                "mds",
                "mds-context",
                Samples.whole(type.form(), Map.of("durationNs", durationMs * MS))));
    }
}
