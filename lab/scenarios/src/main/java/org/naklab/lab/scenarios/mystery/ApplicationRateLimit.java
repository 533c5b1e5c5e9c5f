package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.messaging.publication.RateLimitMode;

/** Lets the service pace its snapshots itself, so that the transport's limiter never trips. */
@AutoService(RemedyStrategy.class)
public final class ApplicationRateLimit implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.APPLICATION_RATE_LIMIT;
    }

    @Override
    public RateLimitMode rateLimiting() {
        return RateLimitMode.APPLICATION;
    }

    @Override
    public String price() {
        return "a second limiter, which must be configured below the budget of the transport";
    }

    @Override
    public String text(boolean isCured) {
        return "the service paces its snapshots; the limiter never trips" + (isCured ? ": the cause is removed" : "");
    }
}
