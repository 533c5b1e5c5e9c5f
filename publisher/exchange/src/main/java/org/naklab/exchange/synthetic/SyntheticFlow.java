package org.naklab.exchange.synthetic;

import static org.naklab.exchange.synthetic.SyntheticBooks.ASK;
import static org.naklab.exchange.synthetic.SyntheticBooks.BID;

import org.naklab.exchange.flow.OrderFlow;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * Order flow out of a seed: the same configuration gives the same events on every machine and JDK. Only what rests is
 * cancelled, deleted or executed; executions take the order with price-time priority; books neither cross nor outgrow
 * their bound. The mix is near that of a liquid stock: some 48 % adds, 35 % deletes, 8 % executions, 4 % partial cancels, 5 %
 * hidden trades, and now and then a halt. Instrument ids run from 1; low ids are the busier ones.
 *
 * <p>Allocates nothing after construction.
 */
public final class SyntheticFlow implements OrderFlow {
    /** Events without end. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** One event in 65,536 halts its instrument, then each of its events has a chance of one in 32 to end the halt. */
    private static final int HALT_MASK = 0xffff;

    private static final int RESUME_MASK = 0x1f;

    private final Config config;
    private final SplitMix64 random;
    private final SyntheticBooks books;
    private final SyntheticPrices prices;
    private final SyntheticMarket market;
    private final ArrivalClock clock;
    private final boolean[] isHalted;
    private long produced;

    /**
     * Tells what to generate.
     *
     * @param seed decides every event
     * @param instruments 1 to 65,535
     * @param events after which the flow ends, or {@link #UNLIMITED}
     * @param restingOrders about as many rest at each instrument in the long run, 2 to 10,000; twice as many at most
     * @param arrival the exchange's time between events
     */
    public record Config(long seed, int instruments, long events, int restingOrders, Arrival arrival) {
        private static final int MAX_INSTRUMENTS = 65_535;
        private static final int MAX_RESTING_ORDERS = 10_000;
        private static final int DEFAULT_RESTING_ORDERS = 64;
        private static final Arrival DEFAULT_ARRIVAL = Arrival.constant(20_000);

        public Config {
            if (instruments < 1 || instruments > MAX_INSTRUMENTS) {
                throw new IllegalArgumentException("instruments must be 1 to " + MAX_INSTRUMENTS + ": " + instruments);
            }
            if (events < 0) {
                throw new IllegalArgumentException("events must not be negative: " + events);
            }
            if (restingOrders < 2 || restingOrders > MAX_RESTING_ORDERS) {
                throw new IllegalArgumentException(
                        "resting orders must be 2 to " + MAX_RESTING_ORDERS + ": " + restingOrders);
            }
        }

        /** Events without end, 64 orders resting at each instrument, one event every 20 µs. */
        public Config(long seed, int instruments) {
            this(seed, instruments, UNLIMITED, DEFAULT_RESTING_ORDERS, DEFAULT_ARRIVAL);
        }

        /** The same but for the number of events. */
        public Config withEvents(long count) {
            return new Config(seed, instruments, count, restingOrders, arrival);
        }

        /** The same but for the orders resting at each instrument. */
        public Config withRestingOrders(int count) {
            return new Config(seed, instruments, events, count, arrival);
        }

        /** The same but for the time between events. */
        public Config withArrival(Arrival newArrival) {
            return new Config(seed, instruments, events, restingOrders, newArrival);
        }
    }

    public SyntheticFlow(Config config) {
        this.config = config;
        random = new SplitMix64(config.seed());
        books = new SyntheticBooks(config.instruments(), config.restingOrders());
        prices = new SyntheticPrices(config.instruments(), random);
        market = new SyntheticMarket(books, prices, random);
        clock = new ArrivalClock(config.arrival(), random.next());
        isHalted = new boolean[config.instruments()];
    }

    @Override
    public boolean next(OrderEvent event) {
        if (produced == config.events()) {
            return false;
        }
        produced++;
        int instrument = pickInstrument(random.next());
        long bits = random.next();
        event.set(EventType.ADD, instrument + 1, clock.next(), 0, Side.BUY, 0, 0);
        prices.walk(instrument, (int) (bits >>> 61));
        if (!changeStatus(event, instrument, (int) bits)) {
            trade(event, instrument, bits);
        }
        return true;
    }

    /** Half the time any, half the time the lesser of two: there are busy instruments, but none that never trades. */
    private int pickInstrument(long bits) {
        int count = config.instruments();
        int pick = SplitMix64.below(count, bits);
        return (bits & 1) == 0 ? pick : Math.min(pick, SplitMix64.below(count, bits >>> 32));
    }

    private boolean changeStatus(OrderEvent event, int instrument, int bits) {
        boolean isChange = (bits & (isHalted[instrument] ? RESUME_MASK : HALT_MASK)) == 0;
        if (isChange) {
            event.type = isHalted[instrument] ? EventType.RESUME : EventType.HALT;
            isHalted[instrument] = !isHalted[instrument];
        }
        return isChange;
    }

    private void trade(OrderEvent event, int instrument, long bits) {
        int resting = books.count(instrument, BID) + books.count(instrument, ASK);
        EventType wish = ActionMix.pick(resting < config.restingOrders(), (int) (bits >>> 16) & 0x3ff);
        int side = (int) (bits >>> 26) & 1;
        boolean isTrade = wish == EventType.EXECUTE || wish == EventType.HIDDEN_TRADE;
        if (isTrade && isHalted[instrument]) {
            wish = EventType.DELETE;
        }
        if (wish == EventType.HIDDEN_TRADE) {
            market.hiddenTrade(event, instrument, side);
        } else if (wish == EventType.ADD || resting == 0) {
            market.addOrDelete(event, instrument, side);
        } else {
            market.take(event, wish, instrument, books.count(instrument, side) == 0 ? 1 - side : side);
        }
    }

    /** Nothing to close. */
    @Override
    public void close() {}
}
