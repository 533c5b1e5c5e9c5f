package org.naklab.subscriber.book;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A stack of objects for reuse; it makes new ones only when it is empty. */
final class Pool<T> {
    private final Supplier<T> factory;
    private @Nullable Object[] free = new Object[64];
    private int size;

    Pool(Supplier<T> factory) {
        this.factory = factory;
    }

    @SuppressWarnings("unchecked")
    T acquire() {
        if (size == 0) {
            return factory.get();
        }
        T pooled = (T) free[--size];
        return pooled;
    }

    void release(T object) {
        if (size == free.length) {
            free = Arrays.copyOf(free, size * 2);
        }
        free[size++] = object;
    }
}
