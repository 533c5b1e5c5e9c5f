package org.naklab.lab.scenarios.mystery;

import java.util.List;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Applies one remedy against the stall and predicts its effect: the change of the service, the prediction, the text of the summary, and the price. To
 * add a remedy, annotate a class with {@code @AutoService(RemedyStrategy.class)}; no other file changes.
 */
public interface RemedyStrategy {
    /** Returns the word of the command line and of the record. */
    Remedy remedy();

    /** Returns the service with the remedy. */
    default ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service;
    }

    /** Returns the rate limiting of the snapshots. */
    default RateLimitMode rateLimiting() {
        return RateLimitMode.TRANSPORT;
    }

    /** Returns true if the symbol is bound before a thread needs it. */
    default boolean isBoundEarly() {
        return false;
    }

    /** Returns true if the pages of the symbol tables are locked in memory, so that they cannot be evicted. */
    default boolean isLockedInMemory() {
        return false;
    }

    /** Returns true if it keeps memory pressure from evicting pages, and changes nothing else. */
    default boolean isAgainstEviction() {
        return false;
    }

    /** Returns true if the context thread never yields, so that it needs no symbol for that. */
    default boolean isWithoutYield() {
        return false;
    }

    /** Returns true if the receive buffer holds the datagrams of the whole stall. */
    default boolean isStallBuffered() {
        return false;
    }

    /** Adds what this remedy is expected to do to the stall and to the loss. */
    default void predict(MysteryPrediction prediction) {
        prediction.expectNoStall();
        prediction.expectNoLoss(Deployment.SERVICE);
    }

    /**
     * Describes the remedy in one sentence without a full stop.
     *
     * @param isCured whether the run was as predicted
     */
    String text(boolean isCured);

    /** Describes what the remedy costs, without a full stop. */
    String price();

    /**
     * Returns the command lines that a reader of the summary may run next.
     *
     * @param plan of the run that is summed up: what was chosen for it is kept
     */
    default List<String> next(RunPlan plan) {
        return List.of(MysterySummary.nextCommand(plan, "all") + " --repeat 5   (compares the remedies)");
    }
}
