package org.naklab.lab.scenarios.mystery;

import org.naklab.lab.scenarios.Remedy;
import org.naklab.messaging.publication.RateLimitMode;

/** Lets the service pace its snapshots itself, so that the transport's limiter never trips. */
final class ApplicationRateLimit implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.APPLICATION_RATE_LIMIT;
    }

    @Override
    public RateLimitMode rateLimiting() {
        return RateLimitMode.APPLICATION;
    }

    @Override
    public String text(boolean isCured) {
        return "the service paces its snapshots; the limiter never trips" + (isCured ? ": the cause is removed" : "");
    }
}
