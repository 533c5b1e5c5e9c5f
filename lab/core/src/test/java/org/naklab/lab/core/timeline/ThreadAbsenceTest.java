package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.ThreadAbsence.Ending;
import org.naklab.lab.core.timeline.ThreadAbsence.State;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;

class ThreadAbsenceTest {
    private static final ThreadAbsence PLAIN = new ThreadAbsence(
            "4711",
            "feed",
            new Interval(1_000, 1_100),
            90,
            State.SLEEPING,
            "writer",
            true,
            false,
            "",
            List.of("futex_do_wait"),
            List.of());

    private static ThreadAbsence readBack(Map<String, Object> details) {
        return ThreadAbsence.of(TimelineEvent.of(1_000, TimelineEventType.THREAD_ABSENT, "4711", "feed", details));
    }

    private static WakerWait step(long afterNs, long durationNs, String waker, Ending ending, String... stack) {
        return new WakerWait(afterNs, durationNs, State.BLOCKED, waker, ending, List.of(stack), null);
    }

    @Test
    void shouldReadBackForWhatTheWakersOfWakersWaited() {
        ThreadAbsence absence =
                PLAIN.afterWaitOfWaker(step(0, 80, "flusher", Ending.UNLOCK, "rwsem_down_write_slowpath", "ext4_write")
                        .after(step(5, 70, "reader", Ending.UNKNOWN, "futex_do_wait")
                                .after(step(6, 60, "", Ending.UNLOCK_BY_KERNEL, "io_schedule"))));
        assertThat(readBack(absence.details())).isEqualTo(absence);
        assertThat(readBack(PLAIN.details())).isEqualTo(PLAIN);
    }

    @Test
    void shouldReadBackInWhichPageFaultTheThreadWaited() {
        ThreadAbsence absence = PLAIN.inFault(new ThreadAbsence.Fault(
                "libc.so.6 .gnu.hash", new PageFault.Page("0x7f12", "/usr/lib/libc.so.6", ".gnu.hash")));
        assertThat(readBack(absence.details())).isEqualTo(absence);
        ThreadAbsence unknown = PLAIN.inFault(new ThreadAbsence.Fault("", new PageFault.Page("0x7f12", "", "")));
        assertThat(readBack(unknown.details())).isEqualTo(unknown);
    }

    /** As version 0.1.0 of the file has it. */
    @Test
    void shouldReadTheWaitOfOneWaker() {
        Map<String, Object> details = new TreeMap<>(PLAIN.details());
        details.putAll(Map.of("wakerWaitNs", 80, "wakerState", "sleeping", "wakerStack", "hrtimer_nanosleep < x"));
        assertThat(readBack(details).wakerWait())
                .isEqualTo(new WakerWait(80, State.SLEEPING, "", List.of("hrtimer_nanosleep", "x")));
    }

    /** The thread ran again for a moment before it was back: that is no part of its wait. */
    @Test
    void shouldKeepTheTimesOfAWakerWithinTheWait() {
        assertThat(PLAIN.during(step(20, 50, "", Ending.UNKNOWN))).isEqualTo(new Interval(1_020, 1_070));
        assertThat(PLAIN.during(step(20, 500, "", Ending.UNKNOWN))).isEqualTo(new Interval(1_020, 1_090));
        assertThat(PLAIN.during(step(500, 50, "", Ending.UNKNOWN)).lengthNs()).isZero();
    }
}
