package org.naklab.lab.scenario;

import java.nio.file.Path;
import java.util.Locale;
import org.naklab.lab.process.Idle;
import org.naklab.lab.process.RateLimiting;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/**
 * Everything that decides a run, so that the same plan can be run again.
 *
 * @param seed of the flow and of every random choice
 * @param rateLimiting of the service's snapshots
 * @param directory where the run leaves its evidence
 * @param aeronPrefix of the processes' Aeron directories: this and the process's name
 */
public record RunPlan(
        String scenario,
        Fidelity fidelity,
        Remedy remedy,
        long seed,
        Workload workload,
        TransportProfile profile,
        TopicChannels channels,
        RateLimiting rateLimiting,
        Idle idle,
        Path directory,
        String aeronPrefix) {
    /** As on the command line. */
    public String profileLabel() {
        return profile.name().toLowerCase(Locale.ROOT);
    }

    public Path journalDirectory() {
        return directory.resolve("journal");
    }
}
