package org.naklab.testcontainers;

/** The lab's detectors as assertions. */
public final class MarketDataAssertions {
    private MarketDataAssertions() {}

    /** Of all receivers; of the service where there is only one. */
    public static MarketDataLabAssert assertThat(MarketDataLab lab) {
        return new MarketDataLabAssert(lab);
    }

    /** Of one receiver. */
    public static ReceiverAssert assertThat(MarketDataServiceContainer receiver) {
        return new ReceiverAssert(receiver);
    }
}
