package org.naklab.lab.tools.pipeline;

import com.paritytrading.parity.book.Market;
import com.paritytrading.parity.book.MarketListener;
import com.paritytrading.parity.book.OrderBook;
import com.paritytrading.parity.book.Side;
import java.util.List;
import java.util.stream.IntStream;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.experiment.StepListener;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.book.OrderBooks;

/** The service's order books against those of Parity's {@code parity-book}, on the same flow. */
public final class BookBench {
    private static final int WARM_UPS = 3;

    private BookBench() {}

    /**
     * The results; rates are medians of the rounds.
     *
     * @param ratio ours against Parity's, median of the rounds' ratios
     */
    public record Figures(double ratio, long bookPerSecond, long parityPerSecond, int instruments, int restingOrders) {}

    /** Returns how many steps {@link #run} has. */
    public static int steps(int rounds) {
        return WARM_UPS + rounds;
    }

    /**
     * Measures.
     *
     * @param progress told what is being done, and what each round gave
     */
    public static Figures run(
            long seed, int events, int instruments, int restingOrders, int rounds, StepListener progress)
            throws Exception {
        OrderEvent[] flow = flow(seed, events, instruments, restingOrders);
        InterleavedBenchmark measured = new InterleavedBenchmark(
                WARM_UPS,
                rounds,
                List.of("order books", "parity-book"),
                progress,
                () -> ours(flow),
                () -> paritys(flow, instruments));
        return new Figures(
                measured.ratio(0, 1),
                Math.round(measured.perSecond(0)),
                Math.round(measured.perSecond(1)),
                instruments,
                restingOrders);
    }

    /**
     * Measures the service's order books alone.
     *
     * @param rounds measured after as many rounds of warm-up as {@link #run} has
     * @return events per second of each round
     */
    public static double[] rates(long seed, int events, int instruments, int restingOrders, int rounds) {
        OrderEvent[] flow = flow(seed, events, instruments, restingOrders);
        return IntStream.range(0, WARM_UPS + rounds)
                .mapToDouble(round -> ours(flow))
                .skip(WARM_UPS)
                .toArray();
    }

    private static OrderEvent[] flow(long seed, int events, int instruments, int restingOrders) {
        OrderEvent[] flow = new OrderEvent[events];
        SyntheticFlow.Config config = new SyntheticFlow.Config(seed, instruments)
                .withRestingOrders(restingOrders)
                .withEvents(events);
        try (SyntheticFlow source = new SyntheticFlow(config)) {
            for (int i = 0; i < events; i++) {
                flow[i] = new OrderEvent();
                source.next(flow[i]);
            }
        }
        return flow;
    }

    private static double ours(OrderEvent[] flow) {
        OrderBooks books = new OrderBooks();
        long beginNs = System.nanoTime();
        for (OrderEvent event : flow) {
            books.apply(event);
        }
        long endNs = System.nanoTime();
        requireAlive(books.bestBidPrice(1));
        return flow.length * Units.NS_PER_S / (endNs - beginNs);
    }

    private static double paritys(OrderEvent[] flow, int instruments) {
        Market market = new Market(new SilentListener());
        OrderBook first = market.open(1);
        for (int instrument = 2; instrument <= instruments; instrument++) {
            market.open(instrument);
        }
        long beginNs = System.nanoTime();
        for (OrderEvent event : flow) {
            apply(market, event);
        }
        long endNs = System.nanoTime();
        requireAlive(first.getBestBidPrice());
        return flow.length * Units.NS_PER_S / (endNs - beginNs);
    }

    private static void apply(Market market, OrderEvent event) {
        switch (event.type) {
            case ADD ->
                market.add(
                        event.instrumentId,
                        event.orderId,
                        event.side == org.naklab.messaging.feed.Side.BUY ? Side.BUY : Side.SELL,
                        event.price,
                        event.quantity);
            case CANCEL_PART -> market.cancel(event.orderId, event.quantity);
            case DELETE -> market.delete(event.orderId);
            case EXECUTE -> market.execute(event.orderId, event.quantity);
            case HIDDEN_TRADE, HALT, RESUME -> {
                // No change to a book, and Parity's has no such notion.
            }
        }
    }

    /** Uses the result, so that the compiler cannot remove the work. */
    private static void requireAlive(long bestBidPrice) {
        if (bestBidPrice <= 0) {
            throw new IllegalStateException("the first instrument has no bid; the books were not driven");
        }
    }

    private static final class SilentListener implements MarketListener {
        @Override
        public void update(OrderBook book, boolean isBestPrice) {}

        @Override
        public void trade(OrderBook book, Side side, long price, long size) {}
    }
}
