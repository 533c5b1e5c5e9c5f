package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.messaging.publication.RateLimitMode;

/** The remedies of the mystery. */
public final class MysteryRemedies {
    static final List<RemedyStrategy> ALL = List.of(
            new NoRemedy(),
            new BindNow(),
            new PreTouch(),
            new ApplicationRateLimit(),
            new NoYield(),
            new OwnContext(),
            new PoliteJournal(),
            new BiggerBuffer());

    private MysteryRemedies() {}

    /**
     * Returns the strategy of a remedy.
     *
     * @throws IllegalArgumentException if the mystery does not have it
     */
    static RemedyStrategy of(Remedy remedy) {
        return find(remedy).orElseThrow(() -> new IllegalArgumentException("the mystery has no remedy " + remedy));
    }

    private static Optional<RemedyStrategy> find(Remedy remedy) {
        return ALL.stream().filter(strategy -> strategy.remedy() == remedy).findFirst();
    }

    /** Returns the rate limiting of the snapshots that a remedy determines; the usual one if it determines none, or is of another scenario. */
    public static RateLimitMode rateLimiting(Remedy remedy) {
        return find(remedy).orElseGet(NoRemedy::new).rateLimiting();
    }
}
