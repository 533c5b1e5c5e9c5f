package org.naklab.messaging;

import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;

/** Counts errors on their way to the handler of the context's owner. */
final class ErrorCounter implements ErrorHandler {
    private final ErrorHandler delegate;
    private final AtomicLong errors = new AtomicLong();

    ErrorCounter(ErrorHandler delegate) {
        this.delegate = delegate;
    }

    @Override
    public void onError(Throwable error) {
        errors.incrementAndGet();
        delegate.onError(error);
    }

    long errors() {
        return errors.get();
    }
}
