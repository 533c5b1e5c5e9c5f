package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.testing.events.Samples;

@Timeout(60)
final class WatchOutcomeTest {
    private static final WatchFindings QUIET = findings(List.of(), List.of());
    private static final WatchFindings BLIND = findings(List.of(), List.of("records were lost"));
    private static final WatchFindings LOSS = findings(
            List.of(TimelineEvent.of(
                    1,
                    TimelineEventType.DATAGRAMS_DROPPED,
                    "4711",
                    Samples.whole(
                            TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("datagrams", 1L, "port", 4_000L)))),
            List.of("records were lost"));

    @Test
    void shouldBeQuietOnlyIfNothingWasFoundAndAllWasSeen() {
        assertThat(WatchOutcome.of(List.of(QUIET, QUIET)).exitCode()).isZero();
        assertThat(WatchOutcome.of(List.of(QUIET, BLIND)).exitCode()).isEqualTo(2);
        assertThat(WatchOutcome.of(List.of(BLIND, LOSS, QUIET)).exitCode()).isEqualTo(3);
    }

    @Test
    void shouldNotCallAWatchQuietThatWatchedNothing() {
        assertThat(WatchOutcome.of(List.of()).exitCode()).isEqualTo(2);
    }

    private static WatchFindings findings(List<TimelineEvent> events, List<String> blind) {
        return WatchFindings.of("4711", new Interval(0, 1_000), events, List.of(), Map.of(), blind);
    }
}
