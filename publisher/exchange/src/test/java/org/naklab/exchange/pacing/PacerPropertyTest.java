package org.naklab.exchange.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.naklab.messaging.feed.OrderEvent;

class PacerPropertyTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final OrderEvent event = new OrderEvent();

    @Property
    void shouldSpreadEachSecondEvenly(
            @ForAll @LongRange(min = 1, max = 10_000_000) long rate,
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long index) {
        Pacer pacer = Pacer.constantRate(rate);

        assertThat(pacer.dueNs(event, index + rate)).isEqualTo(pacer.dueNs(event, index) + SECOND_NS);
        assertThat(pacer.dueNs(event, index + 1) - pacer.dueNs(event, index))
                .isBetween(SECOND_NS / rate, SECOND_NS / rate + 1);
    }
}
