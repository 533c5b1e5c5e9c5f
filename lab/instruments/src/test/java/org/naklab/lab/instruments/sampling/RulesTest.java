package org.naklab.lab.instruments.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.memory.PressureDetector;
import org.naklab.lab.instruments.series.SampleSink;

@Timeout(60)
class RulesTest {
    private static final long MS = 1_000_000;

    private final EventLog events = new EventLog();
    private final AtomicLong value = new AtomicLong();

    @Test
    void shouldReportABurstWithItsLengthAndHeight() {
        RateInstrument rate = new RateInstrument("exchange", "messages", value::get, 100, events);
        send(rate, 0, 100, 300);
        send(rate, 100, 105, 3_000);
        send(rate, 105, 200, 300);

        TimelineEvent burst = events.all().get(0);
        assertThat(events.types()).containsExactly(TimelineEventType.TRAFFIC_BURST);
        assertThat(burst.timeNs()).isEqualTo(1_000 * MS);
        assertThat(burst.longDetail("durationNs", 0)).isEqualTo(50 * MS);
        assertThat(burst.longDetail("peakPerSecond", 0)).isEqualTo(300_000);
        assertThat(burst.longDetail("baselinePerSecond", 0)).isEqualTo(30_000);
        assertThat(burst.longDetail("arrivals", 0)).isEqualTo(15_000);
    }

    @Test
    void shouldNotReportASteadyRateNorASenderThatCatchesUp() {
        RateInstrument rate = new RateInstrument("exchange", "messages", value::get, 100, events);
        send(rate, 0, 100, 300);
        send(rate, 100, 103, 0);
        send(rate, 103, 104, 1_200);
        send(rate, 104, 400, 300);
        rate.close();

        assertThat(events.all()).isEmpty();
    }

    /** The flow began, or another one was added: after the first second it is no burst, however long it lasts. */
    @Test
    void shouldTakeAHigherRateThatLastsForTheRate() {
        RateInstrument rate = new RateInstrument("exchange", "messages", value::get, 100, events);
        send(rate, 0, 100, 300);
        send(rate, 100, 600, 1_000);
        assertThat(events.all()).singleElement().satisfies(burst -> {
            assertThat(burst.longDetail("durationNs", 0)).isEqualTo(1_000 * MS);
            assertThat(burst.longDetail("baselinePerSecond", 0)).isEqualTo(30_000);
        });
        send(rate, 600, 605, 2_900);
        send(rate, 605, 700, 1_000);
        assertThat(events.all()).as("less than three times the new rate").hasSize(1);
        send(rate, 700, 705, 3_600);
        send(rate, 705, 720, 1_000);
        assertThat(events.all()).hasSize(2);
        assertThat(events.all().get(1).longDetail("durationNs", 0)).isEqualTo(50 * MS);
    }

    @Test
    void shouldReportABurstThatIsNotOverAtTheEnd() {
        RateInstrument rate = new RateInstrument("exchange", "messages", value::get, 100, events);
        send(rate, 0, 100, 300);
        send(rate, 100, 105, 3_000);
        rate.close();

        assertThat(events.types()).containsExactly(TimelineEventType.TRAFFIC_BURST);
    }

    @Test
    void shouldReportARingThatStaysDeep() {
        GaugeInstrument ring = gauge(5 * MS);
        for (long ms = 1; ms <= 20; ms++) {
            value.set(ms < 4 ? 0 : 600);
            ring.sample(ms * MS, SampleSink.NONE);
        }

        assertThat(events.types()).containsExactly(TimelineEventType.RING_DEPTH_RISE);
        assertThat(events.all().get(0).timeNs()).isEqualTo(4 * MS);
    }

    @Test
    void shouldNotReportARingThatIsEmptiedInTime() {
        GaugeInstrument ring = gauge(5 * MS);
        for (long ms = 1; ms <= 100; ms++) {
            value.set(ms % 4 == 0 ? 0 : 900);
            ring.sample(ms * MS, SampleSink.NONE);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportADeepRingAgainOnlyAfterItWasEmptied() {
        GaugeInstrument ring = gauge(0);
        for (long depth : new long[] {600, 499, 600, 400, 240, 600}) {
            value.set(depth);
            ring.sample(MS, SampleSink.NONE);
        }
        assertThat(events.all()).hasSize(2);
    }

    @Test
    void shouldReportPressureOnceUntilItHasFallen() {
        PressureDetector rule = new PressureDetector();
        long totalUs = 0;
        int reports = 0;
        for (int second = 0; second < 10; second++) {
            totalUs += second < 3 ? 0 : second < 6 ? 200_000 : 10_000;
            reports += rule.update(second * 1_000L * MS, totalUs) ? 1 : 0;
        }
        assertThat(reports).isEqualTo(1);
        assertThat(rule.share()).isEqualTo(0.01);
    }

    @Test
    void shouldNotReportALittlePressure() {
        PressureDetector rule = new PressureDetector();
        for (int second = 0; second < 10; second++) {
            assertThat(rule.update(second * 1_000L * MS, second * 90_000L)).isFalse();
        }
    }

    private GaugeInstrument gauge(long persistNs) {
        return new GaugeInstrument(
                "mds", "ringDepthSlots", value::get, 500, persistNs, TimelineEventType.RING_DEPTH_RISE, events);
    }

    private void send(RateInstrument rate, int fromWindow, int toWindow, long perWindow) {
        for (int window = fromWindow; window < toWindow; window++) {
            rate.sample(window * BurstDetector.WINDOW_NS, SampleSink.NONE);
            value.addAndGet(perWindow);
        }
    }
}
