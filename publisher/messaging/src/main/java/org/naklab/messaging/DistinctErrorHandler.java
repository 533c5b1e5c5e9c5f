package org.naklab.messaging;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each distinct error once, up to a bound; an error in every duty cycle must not fill the log. */
final class DistinctErrorHandler implements ErrorHandler {
    private static final int MAX_DISTINCT = 64;
    private static final Logger LOGGER = LoggerFactory.getLogger(MessagingContext.class);

    private final String contextName;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    DistinctErrorHandler(String contextName) {
        this.contextName = contextName;
    }

    @Override
    public void onError(Throwable error) {
        String description = String.valueOf(error);
        if (logged.size() < MAX_DISTINCT && logged.add(description)) {
            LOGGER.error("{}: {}", contextName, description, error);
        }
    }
}
