package org.naklab.lab.replica.quotes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.feed.Side;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StaleQuotesTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path journals;

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

    /** 20 s in which each event is 15 s to 25 s late: none of them tells the offset of the clocks. */
    @Test
    void shouldNotTakeALongStallForAnOffset() {
        ReceiptClock clock = new ReceiptClock();
        long offsetNs = 1_795_000_000_000_000_000L;
        for (long ms = 0; ms < 20_000; ms++) {
            assertThat(clock.receivedNs(offsetNs + ms * MS, ms * MS)).isEqualTo(ms * MS);
        }
        for (long ms = 20_000; ms < 40_000; ms++) {
            long latencyNs = (45_000 - ms) * MS;
            long receivedNs = clock.receivedNs(offsetNs + ms * MS + latencyNs, ms * MS);
            assertThat(receivedNs - ms * MS).isBetween(latencyNs - 10 * MS, latencyNs);
        }
    }

    /** A sender that stalls for longer than 4.29 s leaves events without a send time; the figure is most wanted there. */
    @Test
    void shouldCountAnEventThatDoesNotCarryItsSendTime() {
        long offsetNs = 1_795_000_000_000_000_000L;
        Path directory = journals.resolve("journal");
        try (Journal journal = Journal.create(new Journal.Context().directory(directory))) {
            append(journal, 1, 100_000, 200 * MS, 200 * MS, offsetNs + 200 * MS);
            append(journal, 2, 100_100, 300 * MS, 5_300 * MS, offsetNs + 5_300 * MS);
        }

        assertThat(StaleQuotes.of(directory, new Interval(100 * MS, 9_000 * MS)))
                .hasValueSatisfying(record -> assertThat(record.longestMs()).isEqualTo(5_000));
    }

    private void append(Journal journal, long sequence, long price, long dueNs, long sentNs, long receivedEpochNs) {
        OrderEvent event = new OrderEvent().set(EventType.ADD, 1, 0, sequence, Side.BUY, price, 10);
        event.sequence = sequence;
        UnsafeBuffer message = new UnsafeBuffer(new byte[128]);
        int length = new OrderEventCodec().encode(event, message, 0);
        EventTimes.put(message, 0, dueNs, sentNs);
        journal.append(receivedEpochNs, message, 0, length);
    }

    @Test
    void shouldConvertTheReceiptOfAnEventWhoseSendTimeIsNotKnown() {
        ReceiptClock clock = new ReceiptClock();
        assertThat(clock.isSet()).isFalse();
        clock.receivedNs(1_000 * MS, 400 * MS);
        assertThat(clock.isSet()).isTrue();
        assertThat(clock.receivedNs(9_000 * MS)).isEqualTo(8_400 * MS);
    }

    @Test
    void shouldCountThePartAfterTheWarmUpOfAPeriodThatBeganBefore() {
        bid(1, 100_000, 20, 20);
        bid(1, 100_100, 40, 340);
        bid(2, 50_000, 50, 90);

        StaleQuotesRecord record = quotes.end();
        assertThat(record.changes()).isZero();
        assertThat(record.periods()).isEqualTo(1);
        assertThat(record.longestMs()).isEqualTo(240);
        assertThat(record.totalMs()).isEqualTo(240);
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
