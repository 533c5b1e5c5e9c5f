package org.naklab.subscriber.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

@Timeout(60)
class OrderBooksTest {
    private static final int INSTRUMENT = 3;

    private final OrderBooks books = new OrderBooks();

    @Test
    void shouldKeepThePlaceOfAPartlyCancelledOrder() {
        apply(EventType.ADD, 1, 100, 50);
        apply(EventType.ADD, 2, 100, 30);
        apply(EventType.CANCEL_PART, 1, 100, 20);

        assertThat(queue(100)).containsExactly("1 x 30", "2 x 30");
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(60);
    }

    @Test
    void shouldTakeAnExecutionFromTheLevelOnWhichTheOrderRests() {
        apply(EventType.ADD, 1, 100, 50);
        apply(EventType.EXECUTE, 1, 97, 20);

        assertThat(books.bestBidPrice(INSTRUMENT)).isEqualTo(100);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(30);

        apply(EventType.EXECUTE, 1, 97, 30);

        assertThat(books.hasBid(INSTRUMENT)).isFalse();
        assertThat(books.doubtfulEvents()).isZero();
    }

    @Test
    void shouldNotShowHiddenTrades() {
        apply(EventType.ADD, 1, 100, 50);
        apply(EventType.HIDDEN_TRADE, 0, 100, 10);
        apply(EventType.HIDDEN_TRADE, -4, 100, 10);

        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(50);
        assertThat(books.unknownOrders()).isZero();
    }

    @Test
    void shouldTakeUnknownOrdersFromTheAnonymousLiquidityOfTheirLevelOnly() {
        books.seed(INSTRUMENT, Side.BUY, 100, 40);
        books.seed(INSTRUMENT, Side.BUY, 99, 70);
        apply(EventType.ADD, 1, 100, 5);

        apply(EventType.EXECUTE, 900, 100, 15);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(30);
        assertThat(books.unknownOrders()).isZero();

        apply(EventType.DELETE, 901, 100, 60);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(5);
        assertThat(books.unknownOrders()).isEqualTo(1);

        apply(EventType.DELETE, 1, 100, 5);
        assertThat(books.bestBidPrice(INSTRUMENT)).isEqualTo(99);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(70);
    }

    @Test
    void shouldCountUnknownOrdersThatNoSeedExplains() {
        apply(EventType.DELETE, 5, 100, 10);
        apply(EventType.CANCEL_PART, 5, 100, 10);
        apply(EventType.EXECUTE, 5, 100, 10);
        apply(EventType.DELETE, 5, 100, 0);

        assertThat(books.unknownOrders()).isEqualTo(4);
        assertThat(books.size()).isZero();
    }

    @Test
    void shouldCountWhatNoCorrectFeedHolds() {
        apply(EventType.ADD, 1, 100, 10);
        apply(EventType.ADD, 1, 101, 10);
        apply(EventType.ADD, 2, 101, 0);
        apply(EventType.CANCEL_PART, 1, 100, 0);
        apply(EventType.EXECUTE, 1, 100, 11);

        assertThat(books.doubtfulEvents()).isEqualTo(4);
        assertThat(books.hasBid(INSTRUMENT)).isFalse();
    }

    @Test
    void shouldCarveAnAdoptedOrderOutOfTheSeed() {
        books.seed(INSTRUMENT, Side.BUY, 100, 68);
        books.adopt(event(EventType.ADD, 1, 100, 18));

        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(68);
        assertThat(queue(100)).containsExactly("1 x 18");

        apply(EventType.DELETE, 1, 100, 18);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(50);
    }

    @Test
    void shouldAdoptAnOrderOutsideTheSeededLevels() {
        books.adopt(event(EventType.ADD, 1, 50, 18));

        assertThat(books.bestBidPrice(INSTRUMENT)).isEqualTo(50);
        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(18);
    }

    @Test
    void shouldNotTakeWhatTheSeedLacksAlready() {
        books.seed(INSTRUMENT, Side.BUY, 100, 50);
        books.adopt(event(EventType.DELETE, 1, 100, 18));
        books.adopt(event(EventType.HALT, 0, 0, 0));

        assertThat(books.bestBidQuantity(INSTRUMENT)).isEqualTo(50);
        assertThat(book().halted()).isTrue();
    }

    @Test
    void shouldFollowTheTradingStatus() {
        apply(EventType.HALT, 0, 0, 0);
        assertThat(book().halted()).isTrue();

        apply(EventType.RESUME, 0, 0, 0);
        assertThat(book().halted()).isFalse();
    }

    @Test
    void shouldKeepInstrumentsApart() {
        books.apply(new OrderEvent().set(EventType.ADD, 1, 0, 77, Side.BUY, 100, 1));
        books.apply(new OrderEvent().set(EventType.ADD, 2, 0, 77, Side.SELL, 200, 2));
        books.apply(new OrderEvent().set(EventType.DELETE, 1, 0, 77, Side.BUY, 100, 1));

        assertThat(books.hasBid(1)).isFalse();
        assertThat(books.bestAskPrice(2)).isEqualTo(200);
        assertThat(books.bestAskQuantity(2)).isEqualTo(2);
        assertThat(books.at(1).instrumentId()).isEqualTo(2);
        assertThatThrownBy(() -> books.at(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseASeedOfNothing() {
        assertThatThrownBy(() -> books.seed(INSTRUMENT, Side.BUY, 100, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHoldAHundredThousandLevelsAndTheirOrders() {
        int levels = 100_000;
        for (int i = 0; i < levels; i++) {
            // A stride that is coprime to the number of levels visits each price once, far apart from the last.
            apply(EventType.ADD, i, 1 + (i * 7_919L) % levels, 1);
        }
        assertThat(book().levels(Side.BUY)).isEqualTo(levels);
        assertThat(books.bestBidPrice(INSTRUMENT)).isEqualTo(levels);

        for (int i = 0; i < levels; i++) {
            apply(EventType.DELETE, i, 1 + (i * 7_919L) % levels, 1);
        }
        assertThat(book().levels(Side.BUY)).isZero();
        assertThat(book().orders()).isZero();
    }

    private void apply(EventType type, long orderId, long price, int quantity) {
        books.apply(event(type, orderId, price, quantity));
    }

    private static OrderEvent event(EventType type, long orderId, long price, int quantity) {
        return new OrderEvent().set(type, INSTRUMENT, 0, orderId, Side.BUY, price, quantity);
    }

    private OrderBook book() {
        return Objects.requireNonNull(books.book(INSTRUMENT));
    }

    private List<String> queue(long price) {
        List<String> queue = new ArrayList<>();
        book().copyOrders(Side.BUY, price, (id, quantity) -> queue.add(id + " x " + quantity));
        return queue;
    }
}
