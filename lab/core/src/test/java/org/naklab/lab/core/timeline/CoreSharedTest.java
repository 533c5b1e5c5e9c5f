package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CoreSharedTest {
    private static CoreShared shared(String other, long beginNs, long endNs, long totalNs) {
        return new CoreShared(
                "mds",
                "mds-context",
                1,
                other,
                new Interval(beginNs, endNs),
                new CoreShared.Share(2, totalNs, totalNs));
    }

    @Test
    void shouldSumEachPairOfThreadsTheLongestFirst() {
        List<CoreShared> sums = CoreShared.summed(List.of(
                shared("noise", 0, 10, 3),
                shared("gzip", 5, 20, 9),
                shared("noise", 30, 40, 4),
                TimelineEvent.of(1, TimelineEventType.TRAFFIC_BURST, "mds", Map.of())));

        assertThat(sums).extracting(CoreShared::other).containsExactly("gzip", "noise");
        assertThat(sums.get(1).interval()).isEqualTo(new Interval(0, 40));
        assertThat(sums.get(1).share()).isEqualTo(new CoreShared.Share(4, 7, 4));
    }

    /** The part that does not fit into the rest of the interval ran within the time. */
    @Test
    void shouldSayHowLongTheOtherRanWithinATimeAtLeast() {
        CoreShared shared = shared("gzip", 0, 100, 60);

        assertThat(shared.leastWithinNs(new Interval(0, 100))).isEqualTo(60);
        assertThat(shared.leastWithinNs(new Interval(0, 70))).isEqualTo(30);
        assertThat(shared.leastWithinNs(new Interval(90, 200))).isZero();
        assertThat(shared.leastWithinNs(new Interval(300, 400))).isZero();
    }
}
