package org.naklab.lab.replica.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.synthetic.Arrival;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.TrafficBurstFault;
import org.naklab.lab.core.Json;
import org.naklab.lab.replica.customers.ServingConfig;
import org.naklab.lab.replica.transport.ChangedComponents;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.AppliedEventListener;
import org.naklab.testing.Await;

@Timeout(60)
final class ExchangeTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final TransportConfig TRANSPORT = new TransportConfig(
            "exchange",
            TopicChannels.onLoopback(20_000),
            TransportProfile.LBTRM,
            "/dev/shm/lab/exchange",
            0,
            0,
            42,
            7,
            20_000_000,
            IdleMode.BACKOFF);
    private static final FaultPlan BURST = FaultPlan.of(
            42, FaultSpec.of("traffic-burst", "exchange", new TrafficBurstFault.Parameters("feed", 3, 10)));

    private final OrderEvent event = new OrderEvent();

    @Test
    void shouldTellCustomersOfAnEventWhenTheNextOneIsTakenInHand() {
        List<String> told = new ArrayList<>();
        ExchangeBooks books = new ExchangeBooks(new AppliedEventListener() {
            @Override
            public void onApplied(OrderEvent applied, long dueNs) {
                told.add(applied.sequence + " of order " + applied.orderId);
            }

            @Override
            public void onBatchEnd() {
                told.add("batch");
            }

            @Override
            public void onEnd() {
                told.add("end");
            }
        });
        Pacer pacer = books.around((next, index) -> 100 + index);

        assertThat(pacer.dueNs(order(70), 0)).isEqualTo(100);
        assertThat(told).as("it is not sent yet").isEmpty();
        assertThat(pacer.dueNs(order(80), 1)).isEqualTo(101);
        assertThat(told).containsExactly("1 of order 70", "batch");
        books.end();
        books.end();
        assertThat(told).containsExactly("1 of order 70", "batch", "2 of order 80", "batch", "end", "batch");
    }

    /** The source uses one event object again and again. */
    private OrderEvent order(long orderId) {
        return event.set(EventType.ADD, 1, 0, orderId, Side.BUY, 100_000, 10);
    }

    @Test
    void shouldFillTheJournalFastAndThenKeepThePace() {
        PreloadPacer pacer = new PreloadPacer(new Preload(10_000, SECOND_NS, 3 * SECOND_NS), 1_000);
        long[] due = LongStream.range(0, 30_000)
                .map(index -> pacer.dueNs(event, index))
                .toArray();

        assertThat(due).isSorted();
        assertThat(between(due, 0, SECOND_NS)).as("the rise, from a tenth").isEqualTo(5_500);
        assertThat(between(due, SECOND_NS, 3 * SECOND_NS)).isEqualTo(20_000);
        assertThat(between(due, 3 * SECOND_NS, 4 * SECOND_NS)).isEqualTo(1_000);
        assertThat(due[25_500]).isEqualTo(3 * SECOND_NS);
        assertThat(due[25_501] - due[25_500]).isEqualTo(SECOND_NS / 1_000);
    }

    private static long between(long[] due, long fromNs, long toNs) {
        return LongStream.of(due)
                .filter(dueNs -> dueNs >= fromNs && dueNs < toNs)
                .count();
    }

    @Test
    void shouldSpreadTheEventsAroundTheirRate() {
        assertThat(ArrivalPattern.CONSTANT.of(2_000)).isEqualTo(Arrival.constant(500_000));
        assertThat(ArrivalPattern.BURSTY.of(2_000)).isEqualTo(Arrival.bursty(500_000, 100, 50_000));
    }

    @Test
    void shouldRunAheadOfTheScheduleInABurst() {
        try (ExchangeFaults faults = ExchangeFaults.launch("exchange", BURST)) {
            Await.until(
                    "the burst", () -> Objects.requireNonNull(faults.reports().get("traffic-burst"))
                            .armed());
            Pacer pacer = faults.around((next, index) -> index * 1_000);
            long[] gaps = new long[9];
            long beforeNs = pacer.dueNs(event, 0);
            for (int i = 0; i < gaps.length; i++) {
                long dueNs = pacer.dueNs(event, i + 1);
                gaps[i] = dueNs - beforeNs;
                beforeNs = dueNs;
            }

            assertThat(LongStream.of(gaps)).as("never backwards").allMatch(gap -> gap >= 0 && gap <= 1_000);
            assertThat(LongStream.of(gaps).filter(gap -> gap == 100).count())
                    .as("ten times as fast")
                    .isBetween(2L, 3L);
            assertThat(LongStream.of(gaps).skip(4)).containsOnly(1_000L);
            assertThat(faults.around(Pacer.asFastAsPossible()).dueNs(event, 10))
                    .as("a flow without a schedule is ahead of none")
                    .isEqualTo(Pacer.NOW);
        }
    }

    @Test
    void shouldNotHurryAFlowWithoutASchedule() {
        try (ExchangeFaults faults = ExchangeFaults.launch("exchange", null)) {
            Pacer unhurried = faults.around((next, index) -> index * 1_000);
            assertThat(unhurried.dueNs(event, 5)).isEqualTo(5_000);
            assertThat(faults.around(Pacer.asFastAsPossible()).dueNs(event, 6)).isEqualTo(Pacer.NOW);
            assertThat(unhurried.dueNs(event, 7))
                    .as("time without a schedule is not of the seam's")
                    .isEqualTo(7_000);
            assertThat(faults.reports()).isEmpty();
            assertThat(faults.execute("disarm burst")).contains("\"ok\":false");
        }
    }

    @Test
    void shouldChangeOneComponentOfTheOrdersAndKeepTheOthers() {
        ExchangeConfig config = new ExchangeConfig(
                TRANSPORT,
                "/data/day.itch",
                8,
                ArrivalPattern.BURSTY,
                5_000,
                1.5,
                7,
                new Preload(1, 2, 3),
                9,
                null,
                null);
        ServingConfig serving = new ServingConfig(1, 2, 3, 4, 5);
        ExchangeConfig full = config.with(BURST).serving(serving);

        assertThat(ChangedComponents.between(config, full)).containsExactly("faultPlan", "serving");
        assertThat(ChangedComponents.between(full, full.withTransport(TRANSPORT.withFeedMtuBytes(9_000))))
                .containsExactly("transport");
        assertThat(ChangedComponents.between(full, full.with(BURST.withSeed(1))))
                .containsExactly("faultPlan");
        assertThat(full.serving()).isEqualTo(serving);
        assertThat(Json.fromLine(Json.line(full), ExchangeConfig.class)).isEqualTo(full);
    }
}
