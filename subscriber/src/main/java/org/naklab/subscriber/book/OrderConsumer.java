package org.naklab.subscriber.book;

/** Takes the orders of one price level, the oldest first. */
@FunctionalInterface
public interface OrderConsumer {
    void onOrder(long orderId, long quantity);
}
