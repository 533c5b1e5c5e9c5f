package org.naklab.testcontainers;

import java.time.Duration;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a whole lab since its traffic began. */
public final class MarketDataLabAssert extends AbstractAssert<MarketDataLabAssert, MarketDataLab> {
    MarketDataLabAssert(MarketDataLab lab) {
        super(lab, MarketDataLabAssert.class);
    }

    /** Verifies that no receiver sent a NAK. */
    public MarketDataLabAssert hasNoNaks() {
        return eachReceiver(ReceiverAssert::hasNoNaks);
    }

    /** Verifies that at least one receiver sent NAKs. */
    public MarketDataLabAssert sentNaks() {
        isNotNull();
        if (actual.receivers().stream().allMatch(receiver -> receiver.report().naksSent() == 0)) {
            failWithMessage("no receiver sent a NAK, and some were expected");
        }
        return this;
    }

    /** Verifies that every receiver has each event that the exchange published, with the same content. */
    public MarketDataLabAssert lostNothing() {
        eachReceiver(ReceiverAssert::lostNothing);
        long published = actual.exchange().report().published();
        long digest = actual.exchange().report().digest();
        for (MarketDataServiceContainer receiver : actual.receivers()) {
            ReceiverReport report = receiver.report();
            if (report.received() != published || report.digest() != digest) {
                failWithMessage(
                        "%s has %d events of digest %x; the exchange published %d of digest %x",
                        report.name(), report.received(), report.digest(), published, digest);
            }
        }
        return this;
    }

    /** Verifies that each event that the exchange published is in the service's journal. */
    public MarketDataLabAssert journalIsComplete() {
        isNotNull();
        MarketDataAssertions.assertThat(actual.service()).journalIsComplete();
        long published = actual.exchange().report().published();
        long journaled = actual.service().report().journaled();
        if (journaled != published) {
            failWithMessage("the journal has %d events of the %d that the exchange published", journaled, published);
        }
        return this;
    }

    /** Verifies that the service stalled exactly once for that long; shorter stalls are not counted. */
    public MarketDataLabAssert stalledOnce(Duration atLeast, Duration atMost) {
        isNotNull();
        MarketDataAssertions.assertThat(actual.service()).stalledOnce(atLeast, atMost);
        return this;
    }

    /** Verifies that no receiver stalled for that long. */
    public MarketDataLabAssert didNotStall(Duration atLeast) {
        return eachReceiver(receiver -> receiver.didNotStall(atLeast));
    }

    private MarketDataLabAssert eachReceiver(Consumer<ReceiverAssert> check) {
        isNotNull();
        actual.receivers().forEach(receiver -> check.accept(MarketDataAssertions.assertThat(receiver)));
        return this;
    }
}
