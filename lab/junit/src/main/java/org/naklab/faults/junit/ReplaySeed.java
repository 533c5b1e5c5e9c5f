package org.naklab.faults.junit;

import org.naklab.faults.FaultException;
import org.naklab.faults.FaultPlan;

/** The seed that the command line gives, in place of the plans' own. */
final class ReplaySeed {
    static final String PROPERTY = "naklab.faults.seed";

    private ReplaySeed() {}

    static FaultPlan apply(FaultPlan plan) {
        String seed = System.getProperty(PROPERTY);
        if (seed == null) {
            return plan;
        }
        try {
            return plan.withSeed(Long.parseLong(seed));
        } catch (NumberFormatException e) {
            throw new FaultException("-D" + PROPERTY + " must be a number: " + seed, e);
        }
    }
}
