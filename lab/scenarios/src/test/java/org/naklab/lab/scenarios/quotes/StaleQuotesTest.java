package org.naklab.lab.scenarios.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.runs.record.latency.StaleQuotesRecord;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class StaleQuotesTest {
    private static final long MS = 1_000_000;

    private final StaleQuotes quotes = new StaleQuotes(new Interval(100 * MS, 1_000 * MS));
    private long orderId;

    @Test
    void shouldMeasureHowLongAndByHowMuchTheQuotesDiffered() {
        bid(1, 100_000, 90, 91);
        bid(1, 100_100, 200, 350);
        bid(1, 100_300, 300, 350);
        bid(2, 50_000, 300, 301);
        bid(2, 40_000, 400, 900); // not the best price

        assertThat(quotes.end()).isEqualTo(new StaleQuotesRecord(3, 2, 1, 151, 150, 1, 0.03));
        assertThat(quotes.end().sentence())
                .isEqualTo("the best bid or offer of the service was stale for 150.0 ms at most and by 0.03 at most; "
                        + "1 of 2 periods were longer than 10 ms");
    }

    @Test
    void shouldNotCountTheTimeInWhichTheServiceIsRightAgainByChance() {
        bid(1, 100_000, 110, 110);
        add(EventType.ADD, 1, 100_100, 200, 500);
        delete(1, 100_100, 250, 500);
        add(EventType.ADD, 1, 100_200, 300, 500);

        StaleQuotesRecord record = quotes.end();
        assertThat(record.periods()).isEqualTo(2);
        assertThat(record.totalMs()).isEqualTo(50 + 200);
        assertThat(record.maxDifference()).isEqualTo(0.02);
    }

    @Test
    void shouldFindNothingStaleWhereEverythingIsReceivedAtOnce() {
        bid(1, 100_000, 110, 110);
        bid(1, 100_100, 120, 119);
        StaleQuotesRecord record = quotes.end();
        assertThat(record.changes()).isEqualTo(2);
        assertThat(record.periods()).isZero();
        assertThat(record.sentence()).contains("never stale");
    }

    @Test
    void shouldFollowAWallClockThatIsCorrected() {
        ReceiptClock clock = new ReceiptClock();
        long offsetNs = 1_795_000_000_000_000_000L;
        long leastNs = 30_000;
        for (long ms = 0; ms < 60_000; ms++) {
            long driftNs = ms * 50;
            boolean isStalled = ms % 7_000 >= 6_000;
            long latencyNs = isStalled ? (7_000 - ms % 7_000) * MS : leastNs;
            long receivedNs = clock.receivedNs(offsetNs + driftNs + ms * MS + latencyNs, ms * MS);
            assertThat(receivedNs - ms * MS).isBetween(latencyNs - leastNs, latencyNs + MS / 2);
        }
    }

    private void bid(int instrument, long price, long dueMs, long receivedMs) {
        add(EventType.ADD, instrument, price, dueMs, receivedMs);
    }

    private void add(EventType type, int instrument, long price, long dueMs, long receivedMs) {
        orderId++;
        quotes.onEvent(
                new OrderEvent().set(type, instrument, 0, orderId, Side.BUY, price, 10), dueMs * MS, receivedMs * MS);
    }

    /** Deletes the last order. */
    private void delete(int instrument, long price, long dueMs, long receivedMs) {
        quotes.onEvent(
                new OrderEvent().set(EventType.DELETE, instrument, 0, orderId, Side.BUY, price, 10),
                dueMs * MS,
                receivedMs * MS);
    }
}
