package org.naklab.lab.instruments.kernel.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Times in nanoseconds; the first reading at 1,000. */
final class ThrottleInstrumentTest {
    private final AtomicLong throttledNs = new AtomicLong(500);
    private final List<TimelineEvent> events = new ArrayList<>();
    private final ThrottleInstrument instrument = ThrottleInstrument.of(
            "mds",
            () -> List.of(new CpuThrottling.Reading(Path.of("/limited"), 1, throttledNs.get())),
            events::add,
            1_000);

    @Test
    void shouldReportNothingWhileTheQuotaLasts() {
        instrument.refresh(2_000);
        assertThat(events).isEmpty();
    }

    @Test
    void shouldReportTheTimeBetweenTheReadings() {
        instrument.refresh(2_000);
        throttledNs.set(700);
        instrument.refresh(3_000);
        instrument.refresh(4_000);

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(TimelineEventType.CPU_THROTTLED);
            assertThat(event.process()).isEqualTo("mds");
            assertThat(event.interval()).isEqualTo(new Interval(2_000, 3_000));
            assertThat(event.longDetail("throttledNs", 0)).isEqualTo(200);
            assertThat(event.textDetail("cgroup")).isEqualTo("/limited");
        });
    }

    /** Version 1 counts at the end. */
    @Test
    void shouldReachBackBeforeTheLastReading() {
        instrument.refresh(5_000);
        throttledNs.set(500 + 4_000);
        instrument.refresh(6_000);

        assertThat(events).extracting(TimelineEvent::interval).containsExactly(new Interval(2_000, 6_000));
    }
}
