package org.naklab.lab.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.Idle;
import org.naklab.lab.process.RateLimiting;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/**
 * Everything that decides a run, so that the same plan can be run again.
 *
 * @param seed of the flow and of every random choice
 * @param rateLimiting of the service's snapshots
 * @param stall how rate and receive buffer were chosen, and the buffer with it; {@code null}: none is wanted, and the buffer is
 *     the profile's
 * @param notes what its user should know beforehand, each one line
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
        @Nullable StallArithmetic stall,
        List<String> notes,
        Path directory,
        String aeronPrefix) {
    public RunPlan {
        notes = List.copyOf(notes);
    }

    /** The same, in a directory of its own. */
    public RunPlan at(Path newDirectory, String newAeronPrefix) {
        return new RunPlan(
                scenario,
                fidelity,
                remedy,
                seed,
                workload,
                profile,
                channels,
                rateLimiting,
                idle,
                stall,
                notes,
                newDirectory,
                newAeronPrefix);
    }

    /** The same with a stall and what it takes. */
    RunPlan with(Workload newWorkload, RateLimiting newRateLimiting, StallArithmetic newStall) {
        return new RunPlan(
                scenario,
                fidelity,
                remedy,
                seed,
                newWorkload,
                profile,
                channels,
                newRateLimiting,
                idle,
                newStall,
                notes,
                directory,
                aeronPrefix);
    }

    /** As on the command line. */
    public String profileLabel() {
        return profile.name().toLowerCase(Locale.ROOT);
    }

    public Path journalDirectory() {
        return directory.resolve("journal");
    }
}
