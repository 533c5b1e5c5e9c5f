package org.naklab.subscriber.book;

import org.jspecify.annotations.Nullable;

/** A resting order: a link of its level's queue and of its table's chain. Pooled. */
final class Order {
    long id;
    long quantity;

    @Nullable
    PriceLevel level;

    @Nullable
    Order older;

    @Nullable
    Order younger;

    /** The next order in the same bucket of the table, or in the pool. */
    @Nullable
    Order chained;
}
