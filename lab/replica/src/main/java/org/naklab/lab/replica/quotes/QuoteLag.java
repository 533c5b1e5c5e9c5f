package org.naklab.lab.replica.quotes;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Follows the quote of one instrument at the exchange and at the service, which sees the same changes later, and measures the periods in
 * which the two differ.
 */
final class QuoteLag {
    private final Deque<Change> pending = new ArrayDeque<>();
    private final PeriodConsumer consumer;
    private Quote atExchange = Quote.EMPTY;
    private Quote atService = Quote.EMPTY;
    private boolean isStale;
    private long staleSinceNs;
    private long maxDifference;

    /** A change that the service has not seen yet. */
    private record Change(long receivedNs, Quote quote) {}

    /** Takes a period in which the quotes differed. */
    @FunctionalInterface
    interface PeriodConsumer {
        /**
         * Takes the next period.
         *
         * @param maxDifference of the best prices of one side, units of the currency times 10,000
         */
        void onPeriod(long beginNs, long endNs, long maxDifference);
    }

    QuoteLag(PeriodConsumer consumer) {
        this.consumer = consumer;
    }

    /**
     * Takes in the quote after an event; events come in the order of the feed.
     *
     * @param dueNs when the exchange has it
     * @param receivedNs when the service has it, not before {@code dueNs}
     * @return whether it is another quote than before
     */
    boolean onQuote(Quote quote, long dueNs, long receivedNs) {
        if (quote.equals(atExchange)) {
            return false;
        }
        advanceTo(dueNs);
        atExchange = quote;
        pending.add(new Change(receivedNs, quote));
        judge(dueNs);
        return true;
    }

    /** Lets the service see all that it received. */
    void end() {
        advanceTo(Long.MAX_VALUE);
    }

    private void advanceTo(long timeNs) {
        Change next = pending.peek();
        while (next != null && next.receivedNs() <= timeNs) {
            pending.remove();
            atService = next.quote();
            judge(next.receivedNs());
            next = pending.peek();
        }
    }

    private void judge(long timeNs) {
        boolean differs = !atExchange.equals(atService);
        if (differs && !isStale) {
            staleSinceNs = timeNs;
            maxDifference = 0;
        }
        if (differs) {
            maxDifference = Math.max(maxDifference, atExchange.difference(atService));
        } else if (isStale && timeNs > staleSinceNs) {
            consumer.onPeriod(staleSinceNs, timeNs, maxDifference);
        }
        isStale = differs;
    }
}
