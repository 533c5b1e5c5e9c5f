package org.naklab.messaging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the first error of each kind when it comes and, at the end, how often each kind came. Errors are of one kind when class
 * and place are the same, whatever addresses and numbers their messages name; an error in every duty cycle must not fill the log.
 */
final class DistinctErrorHandler implements ErrorHandler, AutoCloseable {
    static final int MAX_KINDS = 64;

    private final String contextName;
    private final Logger logger;
    private final Map<String, AtomicLong> countByKind = new ConcurrentHashMap<>();
    private final AtomicLong others = new AtomicLong();

    DistinctErrorHandler(String contextName) {
        this(contextName, LoggerFactory.getLogger(MessagingContext.class));
    }

    DistinctErrorHandler(String contextName, Logger logger) {
        this.contextName = contextName;
        this.logger = logger;
    }

    @Override
    public void onError(Throwable error) {
        String kind = kindOf(error);
        if (countByKind.size() >= MAX_KINDS && !countByKind.containsKey(kind)) {
            others.incrementAndGet();
            return;
        }
        AtomicLong count = countByKind.computeIfAbsent(kind, key -> new AtomicLong());
        if (count.incrementAndGet() == 1) {
            logger.error("{}: {}", contextName, error, error);
        }
    }

    /** Says how often each error came that came more than once. */
    @Override
    public void close() {
        countByKind.forEach((kind, count) -> {
            if (count.get() > 1) {
                logger.error("{}: {} times in all: {}", contextName, count, kind);
            }
        });
        if (others.get() > 0) {
            logger.error("{}: {} errors of other kinds", contextName, others);
        }
    }

    private static String kindOf(Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        return error.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
    }
}
