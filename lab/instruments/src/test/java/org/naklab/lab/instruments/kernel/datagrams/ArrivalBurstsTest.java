package org.naklab.lab.instruments.kernel.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;

class ArrivalBurstsTest {
    private static final String HERE = "127.0.0.1";
    private static final int PORT = 26_000;
    private static final long NAMESPACE = 11;
    private static final long MS = 1_000_000;
    private static final long PERIOD_MS = 50;

    private final EventLog events = new EventLog();
    private final Map<Integer, Long> sent = new HashMap<>();
    private long nowMs = 1_000;

    @Test
    void shouldReportABurstOfAllSendersTogether() {
        FeedArrivals arrivals = of("");
        receive(arrivals, 20, 20_000, 0);
        receive(arrivals, 4, 40_000, 40_000);
        receive(arrivals, 2, 20_000, 0);
        assertThat(events.all()).singleElement().satisfies(burst -> {
            assertThat(burst.type()).isEqualTo(TimelineEventType.TRAFFIC_BURST);
            assertThat(burst.process()).isEqualTo("receiver");
            assertThat(burst.interval()).isEqualTo(new Interval(2_000 * MS, 2_200 * MS));
            assertThat(burst.longDetail("baselinePerSecond", 0)).isEqualTo(400_000);
            assertThat(burst.longDetail("peakPerSecond", 0)).isEqualTo(1_600_000);
            assertThat(burst.longDetail("arrivals", 0)).isEqualTo(320_000);
        });
    }

    @Test
    void shouldBeginABurstWithTheReadingInWhichTheRateBeganToRise() {
        FeedArrivals arrivals = of("");
        receive(arrivals, 20, 40_000, 0);
        receive(arrivals, 1, 60_000, 0);
        receive(arrivals, 2, 160_000, 0);
        arrivals.finish(nowMs * MS);
        assertThat(events.all())
                .extracting(TimelineEvent::interval)
                .containsExactly(new Interval(2_000 * MS, 2_150 * MS));
    }

    /** Another flow began: after as long a time as the usual rate was measured over, its rate is usual. */
    @Test
    void shouldTakeAHigherRateThatLastsForTheUsualOne() {
        FeedArrivals arrivals = of("");
        receive(arrivals, 20, 20_000, 0);
        receive(arrivals, 80, 80_000, 0);
        receive(arrivals, 2, 200_000, 0);
        arrivals.finish(nowMs * MS);
        assertThat(events.all())
                .extracting(TimelineEvent::interval)
                .containsExactly(new Interval(2_000 * MS, 4_000 * MS));
    }

    /** What did not come in for a while comes in late, and the mean rate is as usual. */
    @Test
    void shouldNotCallABurstWhatIsNoneOverTheTimeSinceTheLastReading() {
        FeedArrivals arrivals = of("");
        receive(arrivals, 20, 40_000, 0);
        nowMs += 200;
        receive(arrivals, 1, 200_000, 0);
        receive(arrivals, 5, 40_000, 0);
        arrivals.finish(nowMs * MS);
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldNotCallABurstWhatAnySocketHasRoomForNorWhatCameBeforeAnythingWasUsual() {
        FeedArrivals few = of("");
        receive(few, 20, 1_000, 0);
        receive(few, 2, 30_000, 0);
        few.finish(nowMs * MS);
        FeedArrivals early = of("");
        sent.clear();
        receive(early, 3, 1_000, 0);
        receive(early, 2, 300_000, 0);
        early.finish(nowMs * MS);
        assertThat(events.all()).isEmpty();
    }

    /** The receivers of an observed sender count themselves, and more often. */
    @Test
    void shouldLeaveItToReceiversThatCountThemselves() {
        FeedArrivals arrivals = of("exchange");
        receive(arrivals, 20, 20_000, 0);
        receive(arrivals, 4, 80_000, 0);
        arrivals.finish(nowMs * MS);
        assertThat(events.all()).noneMatch(event -> event.type() == TimelineEventType.TRAFFIC_BURST);
    }

    private FeedArrivals of(String sender) {
        return new FeedArrivals(
                new Feed(List.of(HERE), PORT, sender), Map.of(NAMESPACE, "receiver"), port -> sender, false, events);
    }

    /** Lets two senders send so many bytes before each reading. */
    private void receive(FeedArrivals arrivals, int readings, long first, long second) {
        for (int i = 0; i < readings; i++) {
            read(arrivals, 1, first, 0);
            read(arrivals, 2, second, 1);
            nowMs += PERIOD_MS;
        }
    }

    private void read(FeedArrivals arrivals, int sender, long bytes, long afterMs) {
        if (bytes > 0) {
            long all = sent.merge(sender, bytes, Long::sum);
            long timeNs = (nowMs + PERIOD_MS) * MS;
            DatagramFlow flow = new DatagramFlow(NAMESPACE, HERE, 40_000 + sender, HERE, PORT, false);
            arrivals.onArrivals(flow, new ArrivalCount(timeNs + afterMs, all / 100, all, timeNs - MS, timeNs));
        }
    }
}
