package org.naklab.lab.scenarios;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Everything that decides a run, so that the same plan can be run again.
 *
 * @param seed of the flow and of every random choice
 * @param rateLimiting of the service's snapshots
 * @param stall how rate and receive buffer were chosen, and the buffer with it; {@code null}: none is wanted, and the buffer is
 *     the profile's
 * @param notes what its user should know beforehand, each one line
 * @param directory where the run leaves its evidence
 * @param aeronPrefix of the processes' Aeron directories: this and the process's name; empty until the run begins
 * @param composition whose services the processes are executed in; {@code null}: where the scenario has them
 */
public record RunPlan(
        String scenario,
        Fidelity fidelity,
        Remedy remedy,
        long seed,
        Workload workload,
        TransportProfile profile,
        TopicChannels channels,
        RateLimitMode rateLimiting,
        IdleMode idle,
        @Nullable BufferSizing stall,
        List<String> notes,
        Path directory,
        String aeronPrefix,
        @Nullable ComposeProject composition) {
    public RunPlan {
        notes = List.copyOf(notes);
    }

    /** Creates a plan whose processes run where the scenario deploys them. */
    public RunPlan(
            String scenario,
            Fidelity fidelity,
            Remedy remedy,
            long seed,
            Workload workload,
            TransportProfile profile,
            TopicChannels channels,
            RateLimitMode rateLimiting,
            IdleMode idle,
            @Nullable BufferSizing stall,
            List<String> notes,
            Path directory,
            String aeronPrefix) {
        this(
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
                directory,
                aeronPrefix,
                null);
    }

    /** Returns this plan in a composition's services, with notes for the user. */
    public RunPlan in(ComposeProject newComposition, List<String> moreNotes) {
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
                Stream.concat(notes.stream(), moreNotes.stream()).toList(),
                directory,
                aeronPrefix,
                newComposition);
    }

    /** Returns this plan with its own run directory. */
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
                newAeronPrefix,
                composition);
    }

    /** Returns this plan with a stall and the sizing for it. */
    public RunPlan with(Workload newWorkload, RateLimitMode newRateLimiting, BufferSizing newStall) {
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
                aeronPrefix,
                composition);
    }

    /** Returns the spelling of the command line. */
    public String profileLabel() {
        return profile.name().toLowerCase(Locale.ROOT);
    }

    public Path journalDirectory() {
        return directory.resolve("journal");
    }
}
