package org.naklab.exchange.itch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.Side;

@Timeout(60)
class ItchOrdersTest {
    @Test
    void shouldBeFullAtItsBoundAndTakeFreedSlotsAgain() {
        ItchOrders orders = new ItchOrders(2);
        orders.add(-1, 7, Side.SELL, 4_000_000_000L, 100);
        orders.add(8, 7, Side.BUY, 5, 200);
        assertThat(orders.isFull()).isTrue();

        int freed = orders.find(-1);
        assertThat(orders.price(freed)).isEqualTo(4_000_000_000L);
        orders.remove(-1, freed);
        assertThat(orders.isFull()).isFalse();
        assertThat(orders.find(-1)).isEqualTo(ItchOrders.NONE);

        orders.add(9, 3, Side.BUY, 6, 300);
        assertThat(orders.find(9)).isEqualTo(freed);
        assertThat(orders.side(freed)).isEqualTo(Side.BUY);
        assertThat(orders.instrumentId(freed)).isEqualTo(3);
        assertThat(orders.quantity(orders.find(8))).isEqualTo(200);
    }

    @Test
    void shouldBeFullBeforeTheHeapIs() {
        ItchOrders orders = ItchOrders.within(1 << 25, 3 * 256);
        for (int i = 1; i <= 3; i++) {
            assertThat(orders.isFull()).isFalse();
            orders.add(i, 7, Side.BUY, 5, 200);
        }
        assertThat(orders.isFull()).isTrue();
    }
}
