package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.testing.events.Samples;

/** On a machine that others use too, what they do to a receiver is not the test's. */
@Timeout(60)
final class ReceiveToleranceTest {
    private static final String PROCESS = "4711";
    private static final long MS = 1_000_000;
    private static final int PORT = 40_123;

    @WatchReceive
    private static final class AsItIs {}

    @WatchReceive(stallOver = "50ms", except = StallCause.CPU_PREEMPTION)
    private static final class OnSharedMachine {}

    @WatchReceive(stallOver = "2s")
    private static final class Patient {}

    @WatchReceive(stallOver = "soon")
    private static final class Wrong {}

    @Test
    void shouldFailForShortStallsUnlessTheyAreTolerated() {
        WatchFindings findings = findings(30, ThreadAbsence.State.STOPPED, 7);

        assertThat(ReceiveFailure.STALL_OVER_20MS.in(findings, of(AsItIs.class)))
                .contains("1 stall over 20 ms");
        assertThat(ReceiveFailure.STALL_OVER_20MS.in(findings, of(OnSharedMachine.class)))
                .isEmpty();
        assertThat(ReceiveFailure.DROPS.in(findings, of(OnSharedMachine.class))).contains("7 datagrams dropped");
    }

    @Test
    void shouldLeaveOutStallsAndLossesOfExceptedCauses() {
        WatchFindings preempted = findings(300, ThreadAbsence.State.PREEMPTED, 7);

        assertThat(ReceiveFailure.STALL_OVER_20MS.in(preempted, of(OnSharedMachine.class)))
                .isEmpty();
        assertThat(ReceiveFailure.DROPS.in(preempted, of(OnSharedMachine.class)))
                .isEmpty();
        assertThat(ReceiveFailure.STALL_OVER_20MS.in(preempted, of(AsItIs.class)))
                .isPresent();
        assertThat(ReceiveFailure.DROPS.in(preempted, of(AsItIs.class))).contains("7 datagrams dropped");
        assertThat(ReceiveFailure.STALL_OVER_20MS.in(
                        findings(300, ThreadAbsence.State.STOPPED, 7), of(OnSharedMachine.class)))
                .contains("1 stall over 50 ms");
    }

    @Test
    void shouldKnowEachOfItsCauses() {
        assertThat(StallCause.values()).extracting(StallCause::cause).doesNotHaveDuplicates();
    }

    @Test
    void shouldReadALengthInSecondsAndRefuseWhatIsNone() {
        assertThat(of(Patient.class).stallMs()).isEqualTo(2_000);
        assertThatThrownBy(() -> of(Wrong.class))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("not soon");
    }

    private static ReceiveTolerance of(Class<?> annotated) {
        return ReceiveTolerance.of(annotated.getAnnotation(WatchReceive.class));
    }

    private static WatchFindings findings(long stallMs, ThreadAbsence.State state, long drops) {
        Interval interval = new Interval(1_000 * MS, (1_000 + stallMs) * MS);
        long blockedNs = state == ThreadAbsence.State.PREEMPTED ? 0 : interval.lengthNs();
        ThreadAbsence absence = new ThreadAbsence(
                PROCESS, "recv", interval, blockedNs, state, "", false, false, "hog", List.of(), List.of());
        List<TimelineEvent> events = List.of(
                TimelineEvent.of(
                        interval.beginNs(),
                        TimelineEventType.STALL,
                        PROCESS,
                        "recv",
                        Map.of("durationNs", interval.lengthNs(), "endNs", interval.endNs())),
                absence,
                TimelineEvent.of(
                        interval.beginNs() + 10 * MS,
                        TimelineEventType.DATAGRAMS_DROPPED,
                        PROCESS,
                        Samples.whole(
                                TimelineEventType.DATAGRAMS_DROPPED.form(),
                                Map.of("datagrams", drops, "port", (long) PORT))));
        SocketSummary socket = new SocketSummary(
                new SocketIdentity(7, false, "127.0.0.1", PORT), List.of(), 1, 0, 0, 212_992, drops, Headroom.NONE);
        return WatchFindings.of(PROCESS, new Interval(0, 10_000 * MS), events, List.of(socket), Map.of(), List.of());
    }
}
