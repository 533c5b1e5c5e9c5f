package org.naklab.lab.scenarios;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Everything that decides a run, so that the same plan can be run again.
 *
 * @param seed of the flow and of every random choice
 * @param notes lines for the user, printed before the run
 * @param added faults in addition to those of the scenario
 * @param settings of the process of the service
 * @param customers who connect to the service and the gateways
 */
public record RunPlan(
        String scenario,
        Fidelity fidelity,
        Remedy remedy,
        long seed,
        Traffic traffic,
        Transport transport,
        Placement placement,
        List<String> notes,
        AddedFaults added,
        ServiceSettings settings,
        Customers customers) {
    /** Name of the file in a run's directory in which a command keeps the faults that it adds by itself. */
    public static final String FAULTS_FILE = "faults.json";

    /** Keeps the datagrams for the service and the gateways. */
    public static final String CAPTURE_OPTION = "--capture";

    private static final int DRAFT_PORT = 1024;

    public RunPlan {
        notes = List.copyOf(notes);
    }

    /** Creates a plan with the faults of its scenario only. */
    public RunPlan(
            String scenario,
            Fidelity fidelity,
            Remedy remedy,
            long seed,
            Traffic traffic,
            Transport transport,
            Placement placement,
            List<String> notes) {
        this(scenario, fidelity, remedy, seed, traffic, transport, placement, notes, AddedFaults.NONE);
    }

    /** Creates a plan whose service has the settings of its scenario only. */
    public RunPlan(
            String scenario,
            Fidelity fidelity,
            Remedy remedy,
            long seed,
            Traffic traffic,
            Transport transport,
            Placement placement,
            List<String> notes,
            AddedFaults added) {
        this(
                scenario,
                fidelity,
                remedy,
                seed,
                traffic,
                transport,
                placement,
                notes,
                added,
                ServiceSettings.NONE,
                Customers.NONE);
    }

    /**
     * The load of a run and the limits that it meets.
     *
     * @param rateLimiting of the service's snapshots
     * @param stall how rate and receive buffer were chosen, and the buffer with it; {@code null}: no stall is wanted, and the
     *     buffer is the profile's
     * @param journalPages what becomes of the journal's pages in the page cache
     */
    public record Traffic(
            Workload workload,
            RateLimitMode rateLimiting,
            @Nullable BufferSizing stall,
            PageCachePolicy journalPages) {
        /** Creates the load of a run whose journal keeps its pages. */
        public Traffic(Workload workload, RateLimitMode rateLimiting, @Nullable BufferSizing stall) {
            this(workload, rateLimiting, stall, PageCachePolicy.KEPT);
        }
    }

    /**
     * The way from the exchange to its subscribers.
     *
     * @param idle how the threads of the transport wait for work
     */
    public record Transport(TransportProfile profile, TopicChannels channels, IdleMode idle) {}

    /**
     * Tells what observes a run.
     *
     * @param instruments how much they record
     * @param isCaptured whether the datagrams for the service and the gateways are kept in a capture
     */
    public record Observation(InstrumentLevel instruments, boolean isCaptured) {}

    /**
     * The places of a run.
     *
     * @param directory where the run leaves its evidence
     * @param aeronPrefix of the processes' Aeron directories: this and the process's name; empty until the run begins
     * @param composition whose services the processes are executed in; {@code null}: where the scenario has them
     * @param pins the only CPU of a thread, by the thread's name
     * @param observation what observes the run
     * @param isInContainers whether the processes run in containers of their own where the scenario has the choice
     * @param isSealed whether nobody may see what the run does to its processes while it goes on: it takes no commands, and keeps no configuration of
     *     them
     */
    public record Placement(
            Path directory,
            String aeronPrefix,
            @Nullable ComposeProject composition,
            Map<String, Integer> pins,
            Observation observation,
            boolean isInContainers,
            boolean isSealed) {
        public Placement {
            pins = Collections.unmodifiableMap(new TreeMap<>(pins));
        }

        /** Creates a placement whose processes run where the scenario deploys them. */
        public Placement(Path directory, String aeronPrefix) {
            this(directory, aeronPrefix, null, Map.of(), new Observation(InstrumentLevel.NORMAL, false), false, false);
        }

        /** Returns what observes the run. */
        public InstrumentLevel instruments() {
            return observation.instruments();
        }

        /** Returns this placement with the processes in containers of their own where the scenario has the choice. */
        public Placement inContainers(boolean isWanted) {
            return new Placement(directory, aeronPrefix, composition, pins, observation, isWanted, isSealed);
        }

        /** Returns this placement for a run of which nobody may see what it does to its processes. */
        public Placement sealed() {
            return new Placement(directory, aeronPrefix, composition, pins, observation, isInContainers, true);
        }

        /** Returns this placement for a run that keeps the datagrams for the service and the gateways. */
        public Placement captured(boolean isWanted) {
            return new Placement(
                    directory,
                    aeronPrefix,
                    composition,
                    pins,
                    new Observation(instruments(), isWanted),
                    isInContainers,
                    isSealed);
        }

        private Placement with(
                Path itsDirectory,
                String itsAeronPrefix,
                @Nullable ComposeProject itsComposition,
                Map<String, Integer> itsPins,
                InstrumentLevel itsInstruments) {
            return new Placement(
                    itsDirectory,
                    itsAeronPrefix,
                    itsComposition,
                    itsPins,
                    new Observation(itsInstruments, observation.isCaptured()),
                    isInContainers,
                    isSealed);
        }
    }

    /** Returns a plan of a scenario with its defaults that is not placed, for questions about the scenario. */
    public static RunPlan draft(Scenario scenario) {
        return new RunPlan(
                scenario.name(),
                scenario.fidelities().get(0),
                Remedy.NONE,
                0,
                new Traffic(scenario.workload(), RateLimitMode.TRANSPORT, null),
                new Transport(TransportProfile.LBTRM, TopicChannels.onLoopback(DRAFT_PORT), IdleMode.BACKOFF),
                new Placement(Path.of(""), ""),
                List.of());
    }

    /** Returns this plan in a composition's services, with notes for the user. */
    public RunPlan in(ComposeProject composition, List<String> moreNotes) {
        List<String> allNotes =
                Stream.concat(notes.stream(), moreNotes.stream()).toList();
        return copy(
                traffic,
                placement.with(
                        directory(), placement.aeronPrefix, composition, placement.pins, placement.instruments()),
                allNotes);
    }

    /** Returns this plan with the processes in containers of their own where the scenario has the choice. */
    public RunPlan inContainers() {
        return copy(traffic, placement.inContainers(true), notes);
    }

    /** Returns this plan with its own run directory. */
    public RunPlan at(Path directory, String aeronPrefix) {
        return copy(
                traffic,
                placement.with(directory, aeronPrefix, placement.composition, placement.pins, placement.instruments()),
                notes);
    }

    /** Returns this plan with other instruments. */
    public RunPlan observedBy(InstrumentLevel instruments) {
        return copy(
                traffic,
                placement.with(directory(), placement.aeronPrefix, placement.composition, placement.pins, instruments),
                notes);
    }

    /** Returns this plan with threads bound to one CPU each, by the names of the threads. */
    public RunPlan pinned(Map<String, Integer> pins) {
        return copy(
                traffic,
                placement.with(
                        directory(), placement.aeronPrefix, placement.composition, pins, placement.instruments()),
                notes);
    }

    /** Returns this plan with other traffic, and the buffer for it. */
    public RunPlan with(Traffic other) {
        return copy(other, placement, notes);
    }

    /** Returns this plan with another policy of the journal's pages. */
    public RunPlan with(PageCachePolicy journalPages) {
        return with(new Traffic(traffic.workload, traffic.rateLimiting, traffic.stall, journalPages));
    }

    /** Returns this plan with more faults than those of its scenario. */
    public RunPlan with(AddedFaults more) {
        return new RunPlan(
                scenario, fidelity, remedy, seed, traffic, transport, placement, notes, more, settings, customers);
    }

    /** Returns this plan with settings of the process of the service. */
    public RunPlan with(ServiceSettings other) {
        return new RunPlan(
                scenario, fidelity, remedy, seed, traffic, transport, placement, notes, added, other, customers);
    }

    /** Returns this plan with other customers. */
    public RunPlan with(Customers other) {
        return new RunPlan(
                scenario, fidelity, remedy, seed, traffic, transport, placement, notes, added, settings, other);
    }

    private RunPlan copy(Traffic newTraffic, Placement newPlacement, List<String> newNotes) {
        return new RunPlan(
                scenario,
                fidelity,
                remedy,
                seed,
                newTraffic,
                transport,
                newPlacement,
                newNotes,
                added,
                settings,
                customers);
    }

    public Workload workload() {
        return traffic.workload;
    }

    public TopicChannels channels() {
        return transport.channels;
    }

    public Path directory() {
        return placement.directory;
    }

    public Path journalDirectory() {
        return directory().resolve("journal");
    }

    /** Returns the spelling of the command line. */
    public String profileLabel() {
        return transport.profile.name().toLowerCase(Locale.ROOT);
    }
}
