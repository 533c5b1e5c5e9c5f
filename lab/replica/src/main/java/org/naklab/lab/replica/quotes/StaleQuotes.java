package org.naklab.lab.replica.quotes;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.naklab.journaler.JournalEntry;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalReader;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Computes how long and by how much the best bid or offer of a receiver differed from that of the exchange, from the due time of each event, at which
 * the exchange has it in its books, and the time at which the receiver has it. For the service a complete journal has both.
 */
public final class StaleQuotes {
    private static final double PRICE_UNITS = 10_000;
    /** Shorter periods are not told from errors of the wall clock, which gave the receive timestamps. */
    private static final double LEAST_MS = 1;

    private static final double LONG_MS = 10;

    private final OrderBooks books = new OrderBooks();
    private final Map<Integer, QuoteLag> instruments = new HashMap<>();
    private final Interval counted;
    private long changes;
    private long periods;
    private long longPeriods;
    private long totalNs;
    private double longestMs;
    private int longestInstrument;
    private long maxDifference;

    /**
     * Begins without any price.
     *
     * @param counted the time that counts, CLOCK_MONOTONIC
     */
    public StaleQuotes(Interval counted) {
        this.counted = counted;
    }

    /**
     * Reads a journal.
     *
     * @param counted the time that counts, CLOCK_MONOTONIC
     * @return empty if the journal cannot be read, or the first event has no times, as those of earlier versions
     */
    public static Optional<StaleQuotesRecord> of(Path journal, Interval counted) {
        StaleQuotes quotes = new StaleQuotes(counted);
        ReceiptClock clock = new ReceiptClock();
        OrderEventCodec codec = new OrderEventCodec();
        OrderEvent event = new OrderEvent();
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(journal)) {
            while (!reader.isTrailerRead() && reader.next(entry)) {
                if (!entry.isTrailer()) {
                    long dueNs = EventTimes.dueNs(entry.message(), 0);
                    long sentNs = EventTimes.sentNs(entry.message(), 0);
                    boolean isKnown = dueNs != EventTimes.UNKNOWN && (sentNs != EventTimes.UNKNOWN || clock.isSet());
                    if (!isKnown || !entry.decode(codec, event)) {
                        return Optional.empty();
                    }
                    quotes.onEvent(event, dueNs, receivedNs(clock, entry.receiveTimestampNs(), sentNs));
                }
            }
            return Optional.of(quotes.end());
        } catch (JournalException e) {
            // The verification of the journal says what is wrong with it.
            return Optional.empty();
        }
    }

    /** An event that was sent more than {@link EventTimes#MAX_SEND_DELAY_NS} late does not carry its send time, which only sets the clock. */
    private static long receivedNs(ReceiptClock clock, long receivedEpochNs, long sentNs) {
        return sentNs == EventTimes.UNKNOWN
                ? clock.receivedNs(receivedEpochNs)
                : clock.receivedNs(receivedEpochNs, sentNs);
    }

    void onEvent(OrderEvent event, long dueNs, long receivedNs) {
        books.apply(event);
        onBooks(books, event.instrumentId, dueNs, receivedNs);
    }

    /**
     * Takes in the best prices after an event that was applied to the books; events come in the order of the feed.
     *
     * @param after the books of whoever received the event
     * @param dueNs when the exchange has it, CLOCK_MONOTONIC
     * @param receivedNs when the receiver has it, CLOCK_MONOTONIC
     */
    public void onBooks(OrderBooks after, int instrument, long dueNs, long receivedNs) {
        boolean isChange = instruments
                .computeIfAbsent(
                        instrument,
                        id -> new QuoteLag((beginNs, endNs, difference) -> onPeriod(id, beginNs, endNs, difference)))
                .onQuote(Quote.of(after, instrument), dueNs, Math.max(dueNs, receivedNs));
        changes += isChange && dueNs >= counted.beginNs() ? 1 : 0;
    }

    /** Lets the receiver see all that it received, and returns the figures; nothing may follow. */
    public StaleQuotesRecord end() {
        instruments.values().forEach(QuoteLag::end);
        return new StaleQuotesRecord(
                changes,
                periods,
                longPeriods,
                totalNs / Units.NS_PER_MS,
                longestMs,
                longestInstrument,
                maxDifference / PRICE_UNITS);
    }

    /** Of a period that began in the warm-up, the part after the warm-up counts. */
    private void onPeriod(int instrument, long begunNs, long endNs, long difference) {
        long beginNs = Math.max(begunNs, counted.beginNs());
        double ms = (endNs - beginNs) / Units.NS_PER_MS;
        if (ms < LEAST_MS) {
            return;
        }
        periods++;
        longPeriods += ms > LONG_MS ? 1 : 0;
        totalNs += endNs - beginNs;
        maxDifference = Math.max(maxDifference, difference);
        if (ms > longestMs) {
            longestMs = ms;
            longestInstrument = instrument;
        }
    }
}
