package org.naklab.subscriber.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

class OrderBooksPropertyTest {
    private static final int INSTRUMENT = 7;

    @Property(tries = 300)
    void shouldAgreeWithTheReference(@ForAll("steps") @Size(max = 200) List<Step> steps) {
        OrderBooks books = new OrderBooks();
        ReferenceBook reference = new ReferenceBook();
        for (Step step : steps) {
            step.applyTo(books);
            step.applyTo(reference);
            OrderBook book = books.book(INSTRUMENT);
            if (book != null) {
                assertSame(book, reference);
            }
        }
    }

    @Property(tries = 20)
    void shouldAgreeInBooksOfManyLevels(@ForAll("deepSteps") @Size(min = 500, max = 3000) List<Step> steps) {
        OrderBooks books = new OrderBooks();
        ReferenceBook reference = new ReferenceBook();
        for (Step step : steps) {
            step.applyTo(books);
            step.applyTo(reference);
        }
        OrderBook book = books.book(INSTRUMENT);
        assertThat(book).isNotNull();
        assertSame(java.util.Objects.requireNonNull(book), reference);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> prices = Arbitraries.longs().between(-2, 6).map(tick -> tick * 100);
        return step(Arbitraries.longs().between(-3, 12), prices).list();
    }

    @Provide
    Arbitrary<List<Step>> deepSteps() {
        Arbitrary<Long> prices = Arbitraries.oneOf(
                Arbitraries.longs().between(1, 2_000), Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L));
        return step(Arbitraries.longs().between(0, 4_000), prices).list();
    }

    private static Arbitrary<Step> step(Arbitrary<Long> ids, Arbitrary<Long> prices) {
        Arbitrary<EventType> types = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(6, Arbitraries.just(EventType.ADD)),
                net.jqwik.api.Tuple.of(5, Arbitraries.of(EventType.values())));
        return Combinators.combine(
                        types,
                        Arbitraries.integers().between(1, 20).map(i -> i == 1),
                        ids,
                        Arbitraries.of(Side.values()),
                        prices,
                        Arbitraries.integers().between(-1, 9))
                .as(Step::new);
    }

    private static void assertSame(OrderBook book, ReferenceBook reference) {
        assertThat(book.halted()).isEqualTo(reference.halted());
        for (Side side : Side.values()) {
            List<String> levels = new ArrayList<>();
            book.copyLevels(
                    side,
                    Integer.MAX_VALUE,
                    (price, quantity, orders) -> levels.add(price + " x " + quantity + " of " + orders));
            assertThat(levels).isEqualTo(reference.levels(side)).hasSize(book.levels(side));
            for (long price : reference.prices(side)) {
                List<String> queue = new ArrayList<>();
                book.copyOrders(side, price, (id, quantity) -> queue.add(id + " x " + quantity));
                assertThat(queue).isEqualTo(reference.queue(side, price));
            }
            assertThat(book.has(side)).isEqualTo(!levels.isEmpty());
            if (!levels.isEmpty()) {
                assertThat(book.bestPrice(side))
                        .isEqualTo(reference.prices(side).get(0));
                assertThat(levels.get(0)).startsWith(book.bestPrice(side) + " x " + book.bestQuantity(side) + " of ");
            }
        }
    }

    record Step(EventType type, boolean seeds, long orderId, Side side, long price, int quantity) {
        void applyTo(OrderBooks books) {
            if (!seeds) {
                books.apply(event());
            } else if (quantity > 0) {
                books.seed(INSTRUMENT, side, price, quantity);
            }
        }

        void applyTo(ReferenceBook reference) {
            if (!seeds) {
                reference.apply(event());
            } else if (quantity > 0) {
                reference.seed(side, price, quantity);
            }
        }

        private OrderEvent event() {
            return new OrderEvent().set(type, INSTRUMENT, 0, orderId, side, price, quantity);
        }
    }
}
