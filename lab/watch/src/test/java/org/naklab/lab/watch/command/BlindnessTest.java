package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.watch.Blindness;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchSummary;

/** What an instrument did not see, it has not seen, also if it sees again. */
@Timeout(60)
final class BlindnessTest {
    private static final String SAMPLER = "the sampler";
    private static final String RECORDER = "the kernel recorder";

    private final Blindness blindness =
            new Blindness(MonotonicToWallClock.at(ZoneOffset.UTC, Instant.parse("2016-06-01T08:00:00Z"), 0)::show);

    @Test
    void shouldNotCallAWatchQuietInTheMiddleOfWhichAnInstrumentSawNothing() {
        assertThat(blindness.take(Map.of(), s(9))).isEmpty();
        assertThat(blindness.take(Map.of(SAMPLER, s(10)), s(12)))
                .containsExactly("not seen now: the sampler has seen nothing for 2000.0 ms");
        assertThat(blindness.take(Map.of(SAMPLER, s(11)), s(13)))
                .as("it is told once")
                .isEmpty();
        assertThat(blindness.take(Map.of(), s(15))).containsExactly("the sampler sees again");
        blindness.end(s(1), s(60));

        List<String> blind = blindness.lines(time(0, 60));
        assertThat(blind).containsExactly("the sampler saw nothing from 08:00:10.000 to 08:00:15.000");
        WatchFindings findings = findings(blind);
        assertThat(WatchOutcome.of(List.of(findings))).isEqualTo(WatchOutcome.UNKNOWN);
        assertThat(WatchSummary.lines(findings))
                .doesNotContain("no stall of a receiving thread, and no lost datagram")
                .contains("not seen: the sampler saw nothing from 08:00:10.000 to 08:00:15.000");
    }

    @Test
    void shouldSaySinceWhenWhatIsBlindAtTheEndSeesNothing() {
        blindness.take(Map.of(SAMPLER, s(10), RECORDER, s(58)), s(60));
        blindness.end(s(1), s(60));

        assertThat(blindness.lines(time(0, 60)))
                .containsExactlyInAnyOrder(
                        "the sampler has seen nothing since 08:00:10.000",
                        "the kernel recorder has seen nothing since 08:00:58.000");
    }

    /** The instruments that look into a process fail with it. */
    @Test
    void shouldNotCallBlindWhatSeesNothingBecauseTheProcessHasEnded() {
        blindness.take(Map.of(SAMPLER, s(59), RECORDER, s(40)), s(62));
        blindness.end(s(2), s(60));

        assertThat(blindness.lines(time(0, 60)))
                .containsExactly("the kernel recorder has seen nothing since 08:00:40.000");
    }

    /** A window is judged by its own time. */
    @Test
    void shouldTellOfATimeOnlyWhatWasNotSeenInIt() {
        blindness.take(Map.of(SAMPLER, s(10)), s(12));
        blindness.take(Map.of(RECORDER, s(30)), s(33));

        assertThat(blindness.lines(time(0, 9))).isEmpty();
        assertThat(blindness.lines(time(11, 14)))
                .containsExactly("the sampler saw nothing from 08:00:10.000 to 08:00:33.000");
        assertThat(blindness.lines(time(34, 36)))
                .containsExactly("the kernel recorder has seen nothing since 08:00:30.000");
    }

    @Test
    void shouldKeepABoundedNumberOfTimes() {
        for (int i = 0; i < 100; i++) {
            blindness.take(Map.of(SAMPLER, s(10L * i)), s(10L * i + 2));
            blindness.take(Map.of(), s(10L * i + 4));
        }

        assertThat(blindness.lines(time(0, 1_000)))
                .hasSize(21)
                .endsWith("instruments saw nothing 80 more times, from 08:03:20.000 to 08:16:34.000");
        assertThat(blindness.lines(time(995, 1_000))).isEmpty();
    }

    private static WatchFindings findings(List<String> blind) {
        return WatchFindings.of("4711", time(0, 60), List.of(), List.of(), Map.of(), blind);
    }

    private static Interval time(long beginS, long endS) {
        return new Interval(s(beginS), s(endS));
    }

    private static long s(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
