package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

@Timeout(60)
final class ShortWaitsTest {
    private static final ShortWaits WAITS = new ShortWaits(
            "mds", "mds-context", new Interval(10, 110), 60, 5, "writer", true, List.of("futex_wait", "do_futex"));

    @Test
    void shouldComeBackFromTheFile() {
        assertThat(Json.fromLine(Json.line(WAITS), TimelineEvent.class)).isEqualTo(WAITS);
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown() {
        ShortWaits unknown = new ShortWaits("mds", "t", new Interval(10, 110), 60, 5, "", false, List.of());
        assertThat(unknown.details()).containsOnlyKeys("durationNs", "blockedNs", "runnableNs");
        assertThat(Json.fromLine(Json.line(unknown), TimelineEvent.class)).isEqualTo(unknown);
    }

    /** A later version may say more of it; that must not be lost when the line is written again. */
    @Test
    void shouldKeepALineThatSaysMore() {
        TimelineEvent more = TimelineEvent.of(
                10,
                TimelineEventType.THREAD_WAITED,
                "mds",
                "t",
                Map.of("durationNs", 100, "blockedNs", 60, "runnableNs", 5, "lock", "0x10"));
        assertThat(more).isNotInstanceOf(ShortWaits.class);
        assertThat(more.details()).containsEntry("lock", "0x10");
        assertThat(ShortWaits.of(more).blockedNs()).isEqualTo(60);
    }

    @Test
    void shouldTellItsShareInATime() {
        assertThat(WAITS.shareIn(new Interval(60, 500))).isEqualTo(0.5);
        assertThat(WAITS.shareIn(new Interval(200, 500))).isZero();
    }
}
