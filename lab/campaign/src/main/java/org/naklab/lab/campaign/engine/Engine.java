package org.naklab.lab.campaign.engine;

import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.core.UnavailableException;

/**
 * Starts the shards of a campaign as jobs. An engine is found by {@link java.util.ServiceLoader}. It tells each job its index, and starts a
 * job again by its exit code: 1 is a finding and is never repeated, 2 (unknown) and 69 (not available) are repeated once, 64 (wrong usage)
 * ends the campaign.
 */
public interface Engine {
    /** Returns the word by which the user chooses the engine. */
    String name();

    /**
     * Starts the jobs and returns, or only describes them.
     *
     * @return lines for the user: of a dry run, what would be submitted
     * @throws org.naklab.lab.core.UnavailableException the engine is not here or refuses the jobs
     * @throws org.naklab.lab.core.UsageException jobs of the campaign wait or run
     */
    List<String> submit(ShardJob job);

    /** Returns what the engine knows of the jobs of a campaign, one line for each that waits, runs or failed. */
    List<String> status(ShardJob job);

    /** Ends the jobs of a campaign. */
    void stop(ShardJob job);

    /**
     * Copies a directory of evidence from where a job left it. Engines whose machines share the directory of the runs have nothing to do.
     *
     * @param there the directory as the job named it
     * @param here does not exist yet
     * @throws org.naklab.lab.core.UnavailableException it is not there, or cannot be read
     */
    default void fetch(ShardJob job, Path there, Path here) {
        throw new UnavailableException(there + " is not on this machine: the engine " + name()
                + " expects the directory of the runs on all machines under the same name");
    }
}
