package org.naklab.lab.replica.customers;

import org.naklab.subscriber.itch.Quote;

/** Reads best prices. */
final class QuoteCustomer extends Customer {
    private final ClientLatency latency;

    QuoteCustomer(ClientLatency latency) {
        this.latency = latency;
    }

    @Override
    public void onQuote(Quote quote, int skipped) {
        count();
        latency.onQuote(quote.timeNs());
    }
}
