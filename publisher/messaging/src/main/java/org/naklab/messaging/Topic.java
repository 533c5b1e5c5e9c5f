package org.naklab.messaging;

/** The topics of the replica and their Aeron stream ids. */
public enum Topic {
    ORDER_BOOK_EVENTS("OrderBookEvents", 1001),
    ORDER_BOOK_SNAPSHOTS("OrderBookSnapshots", 1002);

    private final String label;
    private final int streamId;

    Topic(String label, int streamId) {
        this.label = label;
        this.streamId = streamId;
    }

    /** The name by which operators know the topic. */
    public String label() {
        return label;
    }

    public int streamId() {
        return streamId;
    }
}
