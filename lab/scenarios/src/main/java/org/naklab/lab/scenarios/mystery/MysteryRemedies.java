package org.naklab.lab.scenarios.mystery;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.messaging.publication.RateLimitMode;

/** The remedies of the mystery, as {@link ServiceLoader} finds them. */
public final class MysteryRemedies {
    /** Without a remedy first, those that only hide the symptom last. */
    static final List<RemedyStrategy> ALL =
            ServiceLoader.load(RemedyStrategy.class, RemedyStrategy.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparing((RemedyStrategy strategy) ->
                                    !strategy.remedy().equals(Remedy.NONE))
                            .thenComparing(RemedyStrategy::isStallBuffered)
                            .thenComparing(strategy -> strategy.remedy().label()))
                    .toList();

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
        return ALL.stream().filter(strategy -> strategy.remedy().equals(remedy)).findFirst();
    }

    /** Returns the rate limiting of the snapshots that a remedy determines; the usual one if it determines none, or is of another scenario. */
    public static RateLimitMode rateLimiting(Remedy remedy) {
        return find(remedy).orElseGet(NoRemedy::new).rateLimiting();
    }
}
