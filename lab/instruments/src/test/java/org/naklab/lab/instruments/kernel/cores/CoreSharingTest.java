package org.naklab.lab.instruments.kernel.cores;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CoreSharingTest {
    private static final long MS = 1_000_000;

    private final List<TimelineEvent> events = new ArrayList<>();
    private final CoreSharing sharing = new CoreSharing(events::add);

    @Test
    void shouldAddUpWithinASecond() {
        sharing.onShared(shared("hog", 100, 103));
        sharing.onShared(shared("hog", 200, 205));
        assertThat(events).isEmpty();
        sharing.finish();
        assertThat(events)
                .map(CoreShared.class::cast)
                .containsExactly(new CoreShared(
                        "mds", "mds-context", 2, "hog", interval(100, 205), new CoreShared.Share(2, 8 * MS, 5 * MS)));
        sharing.finish();
        assertThat(events).as("reported once").hasSize(1);
    }

    @Test
    void shouldReportEverySecondAndKeepOthersApart() {
        sharing.onShared(shared("hog", 100, 103));
        sharing.onShared(shared("kworker/2:1", 110, 111));
        sharing.onShared(shared("hog", 1_200, 1_204));
        assertThat(events).hasSize(1);
        sharing.finish();
        assertThat(CoreShared.summed(events))
                .containsExactly(
                        new CoreShared(
                                "mds",
                                "mds-context",
                                2,
                                "hog",
                                interval(100, 1_204),
                                new CoreShared.Share(2, 7 * MS, 4 * MS)),
                        shared("kworker/2:1", 110, 111));
    }

    private static CoreShared shared(String other, long beginMs, long endMs) {
        long lengthNs = (endMs - beginMs) * MS;
        return new CoreShared(
                "mds", "mds-context", 2, other, interval(beginMs, endMs), new CoreShared.Share(1, lengthNs, lengthNs));
    }

    private static Interval interval(long beginMs, long endMs) {
        return new Interval(beginMs * MS, endMs * MS);
    }
}
