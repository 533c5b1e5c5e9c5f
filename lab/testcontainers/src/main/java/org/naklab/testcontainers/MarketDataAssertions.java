package org.naklab.testcontainers;

/** The lab's detectors as assertions. */
public final class MarketDataAssertions {
    private MarketDataAssertions() {}

    /** Returns assertions about all receivers, or about the service where there is only one. */
    public static MarketDataLabAssert assertThat(MarketDataLab lab) {
        return new MarketDataLabAssert(lab);
    }

    /** Returns assertions about one receiver. */
    public static ReceiverAssert assertThat(MarketDataServiceContainer receiver) {
        return new ReceiverAssert(receiver);
    }
}
