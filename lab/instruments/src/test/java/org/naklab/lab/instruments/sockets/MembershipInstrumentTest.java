package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.events.Samples;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class MembershipInstrumentTest {
    private static final String GROUP = "239.192.77.9";

    private final EventLog events = new EventLog();
    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final Set<Integer> joined = new HashSet<>(Set.of(2, 3));
    private final MembershipInstrument instrument =
            new MembershipInstrument("mds", GROUP, () -> Set.copyOf(joined), events, nowNs::get);

    @Test
    void shouldReportForWhichTimeTheGroupWasNotJoined() {
        refreshAt(1_100);
        joined.remove(3);
        refreshAt(1_200);
        refreshAt(1_300);
        assertThat(events.all()).isEmpty();
        joined.add(3);
        refreshAt(1_400);
        assertThat(events.all()).containsExactly(lost(1_200, 200, false));
    }

    @Test
    void shouldReportWhatIsStillMissingAtTheEndAndWhatWasCovered() {
        joined.remove(3);
        refreshAt(1_200);
        nowNs.set(1_500);
        instrument.close();
        assertThat(events.all())
                .containsExactly(
                        lost(1_200, 300, true),
                        TimelineEvent.of(
                                1_000,
                                TimelineEventType.PLACE_OBSERVED,
                                "mds",
                                Samples.whole(
                                        TimelineEventType.PLACE_OBSERVED.form(),
                                        Map.of(
                                                "place",
                                                MembershipInstrument.PLACE,
                                                "durationNs",
                                                500L,
                                                "longestGapNs",
                                                300L))));
    }

    @Test
    void shouldCoverOnlyTheTimeUntilTheGroupsCouldNoLongerBeRead() {
        boolean[] gone = {false};
        MembershipInstrument ending = new MembershipInstrument(
                "mds",
                GROUP,
                () -> {
                    if (gone[0]) {
                        throw new DetectException("gone");
                    }
                    return Set.of(2);
                },
                events,
                nowNs::get);
        gone[0] = true;
        nowNs.set(1_900);
        ending.close();
        assertThat(events.all()).singleElement().satisfies(event -> assertThat(event.durationNs())
                .isZero());
    }

    @Test
    void shouldSeeASocketLeaveItsGroup() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            DatagramChannel member = sockets.member(GROUP, FreePorts.pair());
            MembershipInstrument own = MembershipInstrument.attach(
                    "lab", ProcessHandle.current().pid(), GROUP, events, SystemNanoClock.INSTANCE);
            own.refresh(System.nanoTime());
            member.close();
            own.refresh(System.nanoTime());
            own.close();
        }
        assertThat(events.types()).containsExactly(TimelineEventType.MEMBERSHIP_LOST, TimelineEventType.PLACE_OBSERVED);
    }

    private void refreshAt(long timeNs) {
        nowNs.set(timeNs);
        instrument.refresh(timeNs);
    }

    private static TimelineEvent lost(long timeNs, long durationNs, boolean isLasting) {
        return TimelineEvent.of(
                timeNs,
                TimelineEventType.MEMBERSHIP_LOST,
                "mds",
                Samples.whole(
                        TimelineEventType.MEMBERSHIP_LOST.form(),
                        Map.of("group", GROUP, "interface", 3, "durationNs", durationNs, "lasting", isLasting)));
    }
}
