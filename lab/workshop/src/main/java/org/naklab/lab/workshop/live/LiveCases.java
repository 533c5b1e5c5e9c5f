package org.naklab.lab.workshop.live;

import java.nio.file.Path;

/** Makes new cases by running the real thing, and says nothing of what is done to it. */
public interface LiveCases {
    /**
     * Tells what differs from trainee to trainee beside the case.
     *
     * @param seed of the run
     * @param ratePercent share of the scenario's own rate, at most 100: a queue that holds its stall holds that of a slower feed
     */
    record Draw(long seed, int ratePercent) {}

    /**
     * Returns whether this machine can make a case like a recorded one.
     *
     * @param like directory of the recorded case
     */
    boolean canMake(Path like);

    /**
     * Makes a case like a recorded one.
     *
     * @param like directory of the recorded case
     * @param directory for the files of the run; it is deleted afterwards
     * @return directory of the new case, with its truth
     * @throws org.naklab.lab.core.UnavailableException the run came to nothing, or showed something else than the recorded one
     */
    Path make(Path like, Draw draw, Path directory) throws InterruptedException;
}
