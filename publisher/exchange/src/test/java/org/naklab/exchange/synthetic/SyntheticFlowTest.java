package org.naklab.exchange.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.exchange.Flows;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
class SyntheticFlowTest {
    /** A seed that a report names must mean the same flow on every JDK and in every later version. */
    @Test
    void shouldKeepMeaningTheSame() {
        SyntheticFlow.Config config = new SyntheticFlow.Config(42, 3).withEvents(10_000);
        CRC32C crc = new CRC32C();
        Flows.drain(new SyntheticFlow(config)).forEach(event -> crc.update(event.getBytes(StandardCharsets.US_ASCII)));

        assertThat(crc.getValue()).isEqualTo(1_192_943_955L);
    }

    @Test
    void shouldMixEventsLikeALiquidStock() {
        int events = 1_000_000;
        Map<EventType, Integer> counts = new EnumMap<>(EventType.class);
        OrderEvent event = new OrderEvent();
        try (SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(7, 100))) {
            for (int i = 0; i < events; i++) {
                flow.next(event);
                counts.merge(event.type, 1, Integer::sum);
            }
        }

        assertThat(counts.get(EventType.ADD)).isBetween(430_000, 530_000);
        assertThat(counts.get(EventType.DELETE)).isBetween(300_000, 420_000);
        assertThat(counts.get(EventType.EXECUTE)).isBetween(60_000, 110_000);
        assertThat(counts.get(EventType.CANCEL_PART)).isBetween(20_000, 60_000);
        assertThat(counts.get(EventType.HIDDEN_TRADE)).isBetween(15_000, 70_000);
        assertThat(counts.get(EventType.HALT)).isBetween(3, 50);
        assertThat(counts.get(EventType.RESUME)).isBetween(3, 50);
    }

    @Test
    void shouldLetEveryInstrumentTrade() {
        boolean[] seen = new boolean[5_001];
        OrderEvent event = new OrderEvent();
        try (SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(1, 5_000).withRestingOrders(8))) {
            int unseen = 5_000;
            for (int i = 0; i < 500_000 && unseen > 0; i++) { // the rarest turns up once in 10,000
                flow.next(event);
                unseen -= seen[event.instrumentId] ? 0 : 1;
                seen[event.instrumentId] = true;
            }
            assertThat(unseen).isZero();
        }
    }

    @Test
    void shouldSpaceEventsEvenlyOrInBurstsOfTheSameMean() {
        Arrival constant = Arrival.constant(33_333);
        Arrival bursty = Arrival.bursty(33_333, 50, 100);

        assertThat(spanNs(constant, 100_000)).isEqualTo(33_333L * 100_000);
        assertThat(spanNs(bursty, 100_000)).isBetween(33_333L * 98_000, 33_333L * 102_000);
        assertThat(shortGaps(constant, 10_000)).isZero();
        assertThat(shortGaps(bursty, 10_000)).isBetween(9_500, 9_950);
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatThrownBy(() -> new SyntheticFlow.Config(1, 0)).hasMessageContaining("instruments must be 1 to");
        assertThatThrownBy(() -> new SyntheticFlow.Config(1, 65_536)).hasMessageContaining("instruments must be 1 to");
        assertThatThrownBy(() -> new SyntheticFlow.Config(1, 1).withEvents(-1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new SyntheticFlow.Config(1, 1).withRestingOrders(1))
                .hasMessageContaining("2 to");
        assertThatThrownBy(() -> Arrival.bursty(100, 0, 10)).hasMessageContaining("mean burst");
        assertThatThrownBy(() -> Arrival.bursty(100, 5, 101)).hasMessageContaining("burst gap");
    }

    private static long spanNs(Arrival arrival, int events) {
        OrderEvent event = new OrderEvent();
        try (SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(5, 1).withArrival(arrival))) {
            flow.next(event);
            long firstNs = event.exchangeTimestampNs;
            for (int i = 0; i < events; i++) {
                flow.next(event);
            }
            return event.exchangeTimestampNs - firstNs;
        }
    }

    private static int shortGaps(Arrival arrival, int events) {
        OrderEvent event = new OrderEvent();
        int shortGaps = 0;
        try (SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(5, 1).withArrival(arrival))) {
            flow.next(event);
            for (int i = 0; i < events; i++) {
                long lastNs = event.exchangeTimestampNs;
                flow.next(event);
                shortGaps += event.exchangeTimestampNs - lastNs == 100 ? 1 : 0;
            }
        }
        return shortGaps;
    }
}
