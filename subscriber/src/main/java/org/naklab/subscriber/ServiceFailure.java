package org.naklab.subscriber;

import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** The first failure of a service's threads; it ends receipt. Thread-safe. */
final class ServiceFailure {
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    private final ErrorHandler errorHandler;

    ServiceFailure(ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
    }

    /** Keeps the first cause, and tells the error handler of every one. */
    void set(Throwable cause) {
        first.compareAndSet(null, cause);
        errorHandler.onError(cause);
    }

    boolean isSet() {
        return first.get() != null;
    }

    @Nullable
    Throwable get() {
        return first.get();
    }
}
