package org.naklab.lab.instruments.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL_BEGAN;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TraceTriggerTest {
    private static final long MS = 1_000_000;

    private final TraceTrigger ofRun = new TraceTrigger(Set.of(STALL, DATAGRAMS_DROPPED, NAK_SENT));
    private final TraceTrigger ofWatch = new TraceTrigger(Set.of(STALL, STALL_BEGAN, SOCKET_DEPTH_RISE, NAK_SENT));

    @Test
    void shouldStopAtTheEndOfAStallAndNotInTheMiddle() {
        ofRun.armFrom(0);
        assertThat(ofRun.isTrip(event(STALL_BEGAN, 10))).isFalse();
        assertThat(ofRun.isTrip(event(DATAGRAMS_DROPPED, 20))).isFalse();
        assertThat(ofRun.isTrip(event(STALL, 10))).isTrue();
        assertThat(ofRun.isTrip(event(DATAGRAMS_DROPPED, 40)))
                .as("no stall goes on")
                .isTrue();
    }

    @Test
    void shouldStopAStallThatIsLongerThanTheRings() {
        ofRun.armFrom(0);
        TimelineEvent began = event(STALL_BEGAN, 10);
        assertThat(ofRun.isTrip(began)).isFalse();
        assertThat(ofRun.overdue(began.timeNs() + TraceTrigger.MAX_OPEN_NS)).isNull();
        assertThat(ofRun.overdue(began.timeNs() + TraceTrigger.MAX_OPEN_NS + 1)).isEqualTo(began);
    }

    @Test
    void shouldLeaveOutWhatCameBeforeItWasArmed() {
        assertThat(ofRun.isTrip(event(STALL, 10))).isFalse();
        ofRun.armFrom(20 * MS);
        assertThat(ofRun.isTrip(event(STALL, 10))).isFalse();
        assertThat(ofRun.isTrip(event(YIELDED, 30))).isFalse();
        assertThat(ofRun.isTrip(event(STALL, 30))).isTrue();
    }

    @Test
    void shouldFollowARiseOnlyWhereRisesMatter() {
        ofRun.armFrom(0);
        ofWatch.armFrom(0);
        assertThat(ofWatch.isTrip(event(SOCKET_DEPTH_RISE, 10))).isFalse();
        assertThat(ofWatch.isTrip(event(NAK_SENT, 11))).isFalse();
        assertThat(ofWatch.isTrip(event(SOCKET_DRAINED, 12))).isTrue();
        assertThat(ofRun.isTrip(event(SOCKET_DEPTH_RISE, 10))).isFalse();
        assertThat(ofRun.isTrip(event(SOCKET_DRAINED, 12))).isFalse();
        assertThat(ofRun.isTrip(event(NAK_SENT, 13))).isTrue();
    }

    private static TimelineEvent event(TimelineEventType type, long ms) {
        return TimelineEvent.of(ms * MS, type, "mds", "", Samples.whole(type.form(), Map.of()));
    }
}
