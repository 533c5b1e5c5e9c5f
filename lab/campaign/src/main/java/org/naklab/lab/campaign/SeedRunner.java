package org.naklab.lab.campaign;

import java.util.List;
import org.naklab.lab.core.Cancellation;

/** Runs one seed and waits for its end. */
public interface SeedRunner {
    /**
     * Runs a seed.
     *
     * @param faults those that are added to this run
     * @param cancellation once it is requested, the run ends as soon as it can, and its result is not recorded
     * @throws org.naklab.lab.core.UsageException no run of this plan is possible
     */
    SeedResult run(Cell cell, long seed, List<String> faults, Cancellation cancellation) throws InterruptedException;
}
