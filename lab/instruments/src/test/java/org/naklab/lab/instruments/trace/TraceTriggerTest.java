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
        assertThat(ofRun.trip(event(STALL_BEGAN, 10))).isNull();
        assertThat(ofRun.trip(event(DATAGRAMS_DROPPED, 20))).isNull();
        assertThat(ofRun.trip(event(STALL, 10))).isNotNull();
        assertThat(ofRun.trip(event(DATAGRAMS_DROPPED, 40)))
                .as("no stall goes on")
                .isNotNull();
    }

    @Test
    void shouldStopAStallThatIsLongerThanTheRings() {
        ofRun.armFrom(0);
        TimelineEvent began = event(STALL_BEGAN, 10);
        assertThat(ofRun.trip(began)).isNull();
        assertThat(ofRun.overdue(began.timeNs() + TraceTrigger.MAX_OPEN_NS)).isNull();
        assertThat(ofRun.overdue(began.timeNs() + TraceTrigger.MAX_OPEN_NS + 1))
                .extracting(TraceTrigger.Trip::event)
                .isEqualTo(began);
        assertThat(ofRun.overdue(began.timeNs() + 2 * TraceTrigger.MAX_OPEN_NS))
                .as("once")
                .isNull();
        assertThat(ofRun.trip(event(STALL, 10)))
                .extracting(TraceTrigger.Trip::wasCut)
                .isEqualTo(true);
    }

    @Test
    void shouldCountWhatWasLostInAStallAndOnlyThere() {
        ofRun.armFrom(0);
        ofRun.trip(event(STALL_BEGAN, 10));
        ofRun.trip(event(DATAGRAMS_DROPPED, 20));
        ofRun.trip(event(DATAGRAMS_DROPPED, 21));
        assertThat(ofRun.trip(event(STALL, 10)))
                .extracting(trip -> trip.harm().lost())
                .isEqualTo(2 * event(DATAGRAMS_DROPPED, 20).amount());
        ofRun.trip(event(STALL_BEGAN, 30));
        assertThat(ofRun.trip(event(STALL, 30)))
                .extracting(trip -> trip.harm().lost())
                .isEqualTo(0L);
    }

    @Test
    void shouldTakeLostDatagramsForWorseThanLength() {
        TraceTrigger.Harm longer = new TraceTrigger.Harm(0, 200 * MS);
        TraceTrigger.Harm costly = new TraceTrigger.Harm(1, 20 * MS);
        assertThat(costly.isWorseThan(longer)).isTrue();
        assertThat(longer.isWorseThan(costly)).isFalse();
        assertThat(longer.isWorseThan(new TraceTrigger.Harm(0, 100 * MS))).isTrue();
        assertThat(longer.isWorseThan(longer)).isFalse();
    }

    @Test
    void shouldLeaveOutWhatCameBeforeItWasArmed() {
        assertThat(ofRun.trip(event(STALL, 10))).isNull();
        ofRun.armFrom(20 * MS);
        assertThat(ofRun.trip(event(STALL, 10))).isNull();
        assertThat(ofRun.trip(event(YIELDED, 30))).isNull();
        assertThat(ofRun.trip(event(STALL, 30))).isNotNull();
    }

    @Test
    void shouldFollowARiseOnlyWhereRisesMatter() {
        ofRun.armFrom(0);
        ofWatch.armFrom(0);
        assertThat(ofWatch.trip(event(SOCKET_DEPTH_RISE, 10))).isNull();
        assertThat(ofWatch.trip(event(NAK_SENT, 11))).isNull();
        assertThat(ofWatch.trip(event(SOCKET_DRAINED, 12))).isNotNull();
        assertThat(ofRun.trip(event(SOCKET_DEPTH_RISE, 10))).isNull();
        assertThat(ofRun.trip(event(SOCKET_DRAINED, 12))).isNull();
        assertThat(ofRun.trip(event(NAK_SENT, 13))).isNotNull();
    }

    private static TimelineEvent event(TimelineEventType type, long ms) {
        return TimelineEvent.of(ms * MS, type, "mds", "", Samples.whole(type.form(), Map.of()));
    }
}
