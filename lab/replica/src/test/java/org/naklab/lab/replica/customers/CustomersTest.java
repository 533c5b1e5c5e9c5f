package org.naklab.lab.replica.customers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.transport.ChangedComponents;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.clients.DayClock;
import org.naklab.subscriber.itch.BookState;

/** The customers without a connection. */
@Timeout(60)
final class CustomersTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The clock of the wire begins with that of the machine. */
    private final DayClock clock = DayClock.ofOffset(0);

    private final ClientLatency latency = new ClientLatency(clock, 100 * MS);

    @Test
    void shouldCountEventsThatAreDueAfterTheWarmUp() {
        assertThat(latency.ageNs(5 * MS)).as("before the first").isEqualTo(-1);
        assertThat(latency.onOrder(1_000 * MS, 1_030 * MS)).isEqualTo(1_000 * MS);
        assertThat(latency.countedFromNs()).isEqualTo(1_100 * MS);
        latency.onOrder(1_099 * MS, 1_300 * MS);
        assertThat(latency.orders().count())
                .as("received after the warm-up, and due in it")
                .isZero();
        latency.onOrder(1_100 * MS, 1_102 * MS);
        latency.onOrder(1_200 * MS, 1_240 * MS);

        assertThat(latency.orders().count()).isEqualTo(2);
        assertThat(latency.orders().maxUs()).isBetween(39_900.0, 40_400.0);
        assertThat(latency.orders().p50Us()).isBetween(1_990.0, 2_020.0);
        assertThat(latency.ageNs(1_260 * MS)).isEqualTo(60 * MS);
        assertThat(latency.ageNs(1_100 * MS)).as("not negative").isZero();
    }

    @Test
    void shouldNotCountALatencyBelowZero() {
        latency.onOrder(1_000 * MS, 1_000 * MS);
        assertThat(latency.onOrder(1_200 * MS, 1_199 * MS)).isEqualTo(1_200 * MS);

        assertThat(latency.orders().count()).isEqualTo(1);
        assertThat(latency.orders().maxUs()).isZero();
    }

    @Test
    void shouldFollowAFlowOverMidnight() {
        long midnightNs = TimeUnit.DAYS.toNanos(1);
        latency.onOrder(midnightNs - 500 * MS, midnightNs - 480 * MS);
        assertThat(latency.onOrder(midnightNs - 10 * MS, midnightNs + 20 * MS)).isEqualTo(midnightNs - 10 * MS);
        assertThat(latency.onOrder(10 * MS, midnightNs + 20 * MS)).isEqualTo(midnightNs + 10 * MS);
        assertThat(latency.orders().maxUs()).isBetween(29_900.0, 30_300.0);
    }

    @Test
    void shouldCountNoQuoteBeforeTheFirstOrder() {
        ClientLatency now = new ClientLatency(clock, 0);
        now.onQuote(clock.ofDayNs(System.nanoTime()));
        assertThat(now.quotes().count()).isZero();
        long nowNs = System.nanoTime();
        now.onOrder(clock.ofDayNs(nowNs), nowNs);
        now.onQuote(clock.ofDayNs(System.nanoTime()));
        assertThat(now.quotes().count()).isEqualTo(1);
        assertThat(now.orders().count()).isEqualTo(1);
    }

    @Test
    void shouldNotCountTheOrdersOfASnapshot() {
        OrderCustomer customer = new OrderCustomer(latency);
        customer.beginWithSnapshot();
        customer.onEvent(add(1, Side.BUY, 100_000), 0);
        assertThat(customer.messages()).isZero();
        assertThat(latency.ageNs(System.nanoTime()))
                .as("it says nothing of a latency")
                .isEqualTo(-1);
        assertThat(customer.books().bestBidPrice(1)).isEqualTo(100_000);
        customer.onSnapshotEnd(2);
        customer.onEvent(add(1, Side.BUY, 100_100), 0);
        assertThat(customer.messages()).isEqualTo(1);
        assertThat(customer.books().bestBidPrice(1)).isEqualTo(100_100);

        long before = customer.digest();
        customer.rejoin();
        assertThat(customer.rejoined()).isEqualTo(1);
        assertThat(customer.digest()).as("it begins with no books").isNotEqualTo(before);
        assertThat(customer.end()).as("it is not connected").isNull();
    }

    @Test
    void shouldShowTheBooksOfTheInstrumentsWithTheLowestNumbers() {
        ReferenceCustomer customer = new ReferenceCustomer(latency);
        for (int instrument : new int[] {9, 2, 5}) {
            customer.onState(instrument, BookState.VALID, 0, 0);
        }
        for (int instrument : new int[] {9, 5}) {
            for (int i = 0; i < 7; i++) {
                customer.onEvent(add(instrument, Side.BUY, 100_000 - i * 100), 0);
            }
            customer.onEvent(add(instrument, Side.SELL, 100_500), 0);
        }
        customer.onState(9, BookState.SUSPECT, 41, 0);
        customer.onEvent(of(EventType.HIDDEN_TRADE, 9, Side.BUY, 100_200, 3), clock.ofDayNs(System.nanoTime()));

        List<BookView> views = customer.views("mds", 2, System.nanoTime());
        assertThat(views)
                .extracting(BookView::instrument)
                .as("there is no book of 2")
                .containsExactly(5, 9);
        assertThat(views)
                .extracting(BookView::validity)
                .containsExactly(BookView.Validity.VALID, BookView.Validity.SUSPECT);
        assertThat(views).extracting(BookView::suspectSince).containsExactly(0L, 41L);
        assertThat(views.get(0).trade()).isNull();
        assertThat(views.get(1).trade()).isNotNull().satisfies(trade -> {
            assertThat(trade.price()).isEqualTo(100_200);
            assertThat(trade.quantity()).isEqualTo(3);
        });
        assertThat(views.get(0).bids())
                .extracting(BookView.Level::price)
                .containsExactly(100_000L, 99_900L, 99_800L, 99_700L, 99_600L);
        assertThat(views.get(0).asks()).containsExactly(new BookView.Level(100_500, 10, 1));
        assertThat(customer.views("mds", 1, 0)).extracting(BookView::instrument).containsExactly(5);
        assertThat(new ReferenceCustomer(latency).staleQuotes())
                .as("it has read nothing")
                .isNull();
    }

    @Test
    void shouldNotReadOrdersAsACustomerOfBestPrices() {
        QuoteCustomer customer = new QuoteCustomer(latency);

        assertThatThrownBy(() -> customer.onEvent(add(1, Side.BUY, 1), 0)).isInstanceOf(IllegalStateException.class);
        assertThat(customer.messages()).isZero();
    }

    @Test
    void shouldReportEachCustomerAndItsBooks() {
        LatencyRecord.Hop hop = new LatencyRecord.Hop(1, 2, 3, 4, 5);
        CustomersReport.Served served = new CustomersReport.Served(
                "mds",
                new CustomersRecord.Kinds(1, 20, 300, 4_000),
                new CustomersReport.Served.Progress(5, 6, 7, 8, Map.of(-11L, 2, 12L, 3)),
                new CustomersRecord.Lateness(hop, hop, null));
        CustomersReport report = new CustomersReport(List.of(served), Map.of());

        assertThat(served.customers()).isEqualTo(4_321);
        assertThat(served.withBooks()).isEqualTo(5);
        assertThat(Json.fromLine(Json.line(report), CustomersReport.class)).isEqualTo(report);
        ServingReport serving = new ServingReport(
                new ServingReport.Connections(1, 2, 3), new ServingReport.Slow(4, 5, 6, 7), 8, "broken");
        assertThat(Json.fromLine(Json.line(serving), ServingReport.class)).isEqualTo(serving);
        assertThat(Json.line(serving)).contains("\"refused\":3", "\"skippedQuotes\":6", "\"messages\":8");
    }

    @Test
    void shouldChangeOneComponentOfTheOrdersAndKeepTheOthers() {
        List<CustomersConfig.Server> servers = new ArrayList<>(List.of(new CustomersConfig.Server("mds", 45, 0)));
        CustomersConfig config = new CustomersConfig("customers", servers, 5, null);
        servers.clear();
        CustomersConfig full = config.with(FaultPlan.of(42));

        assertThat(full.servers()).hasSize(1);
        assertThat(ChangedComponents.between(config, full)).containsExactly("faultPlan");
        assertThat(ChangedComponents.between(full, full.withWarmUpNs(6))).containsExactly("warmUpNs");
        assertThat(Json.fromLine(Json.line(full), CustomersConfig.class)).isEqualTo(full);
    }

    private static OrderEvent add(int instrument, Side side, long price) {
        return of(EventType.ADD, instrument, side, price, 10);
    }

    private static OrderEvent of(EventType type, int instrument, Side side, long price, int quantity) {
        return new OrderEvent().set(type, instrument, 0, instrument * 1_000_000L + price, side, price, quantity);
    }
}
