package org.naklab.exchange.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.naklab.exchange.Flows;
import org.naklab.exchange.ReferenceBooks;
import org.naklab.messaging.feed.OrderEvent;

class SyntheticFlowPropertyTest {
    @Property(tries = 60)
    void shouldTouchOnlyWhatRests(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int instruments,
            @ForAll @IntRange(min = 2, max = 40) int resting) {
        SyntheticFlow.Config config =
                new SyntheticFlow.Config(seed, instruments).withEvents(4_000).withRestingOrders(resting);
        ReferenceBooks books = new ReferenceBooks();
        OrderEvent event = new OrderEvent();
        long lastTimeNs = 0;
        try (SyntheticFlow flow = new SyntheticFlow(config)) {
            for (int i = 0; i < 4_000; i++) {
                assertThat(flow.next(event)).isTrue();
                books.apply(event);
                assertThat(event.instrumentId).isBetween(1, instruments);
                assertThat(event.exchangeTimestampNs).isGreaterThanOrEqualTo(lastTimeNs);
                lastTimeNs = event.exchangeTimestampNs;
            }
            assertThat(flow.next(event)).isFalse();
        }
        assertThat(books.mostResting()).isLessThanOrEqualTo(2 * resting);
    }

    @Property(tries = 30)
    void shouldBeDecidedByItsSeed(@ForAll long seed, @ForAll @IntRange(min = 1, max = 2_000) int instruments) {
        List<String> first = drain(seed, instruments);

        assertThat(drain(seed, instruments)).isEqualTo(first);
        assertThat(drain(seed + 1, instruments)).isNotEqualTo(first);
    }

    private static List<String> drain(long seed, int instruments) {
        return Flows.drain(new SyntheticFlow(new SyntheticFlow.Config(seed, instruments).withEvents(200)));
    }
}
