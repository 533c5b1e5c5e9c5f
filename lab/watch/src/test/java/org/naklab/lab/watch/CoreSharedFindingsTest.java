package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CoreSharedFindingsTest {
    @Test
    void shouldTellWhoElseRanOnTheCpuOfAThread() {
        List<TimelineEvent> events = List.of(shared("feed", 1), shared("feed", 2), shared("other", 9));

        WatchFindings findings =
                WatchFindings.of("feed", new Interval(0, 10_000_000_000L), events, List.of(), Map.of(), List.of());

        assertThat(WatchSummary.lines(findings))
                .contains("kworker/2:1 also ran on CPU 2 of reader: 6 times, 3.0 ms in total, longest 1.8 ms");
    }

    private static CoreShared shared(String process, int second) {
        long beginNs = second * 1_000_000_000L;
        return new CoreShared(
                process,
                "reader",
                2,
                "kworker/2:1",
                new Interval(beginNs, beginNs + 5_000_000),
                new CoreShared.Share(3, 1_500_000, 900_000L * second));
    }
}
