package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.customers.ServingReport;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.causes.CauseScenario;
import org.naklab.lab.scenarios.causes.Masked;
import org.naklab.lab.scenarios.causes.MemoryPressure;
import org.naklab.lab.scenarios.causes.NakIgnoreTrap;
import org.naklab.lab.scenarios.convoy.LockConvoy;
import org.naklab.lab.scenarios.customers.SlowClients;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.lab.scenarios.inspection.ProcessReading;
import org.naklab.lab.scenarios.inspection.ProcessUse;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.mystery.memory.LockedPages;
import org.naklab.lab.scenarios.soak.Soak;
import org.naklab.messaging.Topic;

/** A run that passes, of every scenario with every fidelity and remedy. */
final class PassingRuns {
    /** The id of the fault that is added to a run of the healthy service. */
    static final String ADDED = "added-gc-pause";

    /** The id of the fault in the service of a soak. */
    static final String SOAKED = "001-gc-pause";

    private static final long EVENTS_PER_SECOND = 5_000;

    private PassingRuns() {}

    /** @param outcome as the scenario predicts it */
    record Run(String name, Scenario scenario, RunOutcome outcome) {
        @Override
        public String toString() {
            return name;
        }

        /** The same, cut short: it can only be UNKNOWN or FAIL. */
        Run interrupted() {
            Draft draft = new Draft(outcome);
            draft.troubles.add("interrupted");
            return new Run(name + ", interrupted", scenario, draft.outcome());
        }
    }

    static List<Run> all() {
        List<Run> runs = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            for (Fidelity fidelity : scenario.fidelities()) {
                scenario.remedies().stream()
                        .filter(remedy -> isPossible(fidelity, remedy))
                        .filter(remedy -> !(scenario instanceof MemoryPressure)
                                || fidelity == Fidelity.NONE
                                || remedy.equals(Remedy.NONE))
                        .map(remedy -> new Run(
                                scenario.name() + ", " + fidelity + ", " + remedy,
                                scenario,
                                outcome(scenario, fidelity, remedy)))
                        .forEach(runs::add);
            }
        }
        runs.add(new Run(
                "baseline, with a fault added", new Baseline(), withAddedFault().outcome()));
        return runs;
    }

    /** A run of the healthy service with a fault of the user's, which fired. */
    static Draft withAddedFault() {
        Draft draft = withAddedFault(new FaultSpec(ADDED, "gc-pause", Deployment.SERVICE, null, 0, null));
        draft.subscriber(Deployment.SERVICE, "faults", Map.of(ADDED, MysteryRun.report(true, "it did")));
        return draft;
    }

    /** A run of the healthy service with a fault of the user's, of which there is no report. */
    static Draft withAddedFault(FaultSpec added) {
        Baseline baseline = new Baseline();
        return healthy(Plans.of(baseline, baseline.workload()).with(new AddedFaults(List.of(added), List.of())));
    }

    /** As {@link Mystery#refusal}, whatever the machine has: nothing is bound early where nothing is bound, and nothing kept where nothing is evicted. */
    private static boolean isPossible(Fidelity fidelity, Remedy remedy) {
        if (remedy.equals(LockedPages.REMEDY)) {
            return fidelity == Fidelity.NATURAL;
        }
        if (remedy.equals(Remedy.POLITE_JOURNAL)) {
            return fidelity == Fidelity.NATURAL || fidelity == Fidelity.NONE;
        }
        return fidelity != Fidelity.SIMULATED || (!remedy.equals(Remedy.BIND_NOW) && !remedy.equals(Remedy.PRE_TOUCH));
    }

    private static RunOutcome outcome(Scenario scenario, Fidelity fidelity, Remedy remedy) {
        if (scenario instanceof Mystery) {
            return new MysteryRun(remedy, fidelity).outcome();
        }
        if (scenario instanceof Masked) {
            return masked(fidelity);
        }
        if (scenario instanceof CauseScenario cause) {
            return remedy.equals(Remedy.ISOLATE) ? isolated(cause) : outcome(cause);
        }
        if (scenario instanceof Baseline) {
            return healthy(Plans.of(scenario, scenario.workload())).outcome();
        }
        if (scenario instanceof Soak soak) {
            return soaked(soak).outcome();
        }
        if (scenario instanceof MemoryPressure) {
            return pressed(scenario, fidelity, remedy);
        }
        if (scenario instanceof SlowClients) {
            return served(scenario);
        }
        if (scenario instanceof LockConvoy) {
            RunPlan plan = Records.with(Plans.of(scenario, scenario.workload()), "remedy", remedy);
            return healthy(ConvoyRuns.at(plan, ConvoyRuns.passing(remedy))).outcome();
        }
        throw new AssertionError("say in PassingRuns what a run of " + scenario.name() + " is like that passes");
    }

    /** A soak whose faults fired, one of which killed a gateway, and that left nothing behind. */
    static Draft soaked(Soak soak) {
        List<FaultSpec> faults = List.of(
                new FaultSpec(SOAKED, "gc-pause", Deployment.SERVICE, null, 0, null),
                new FaultSpec("kill", "process-kill", Soak.VICTIM, null, 0, null));
        Draft draft = healthy(Plans.of(soak, soak.workload()).with(new AddedFaults(faults, List.of())));
        draft.deployed.put(Soak.VICTIM, Role.GATEWAY);
        draft.subscriber(Deployment.SERVICE, "faults", Map.of(SOAKED, MysteryRun.report(true, "it did")));
        draft.outsideFaults.put("kill", MysteryRun.report(true, "it did"));
        draft.subscribers.keySet().forEach(name -> draft.subscriber(name, "booksDigest", 7L));
        ProcessReading reading = new ProcessReading(
                false, 1 << 28, 1 << 24, Map.of("socket", 3), Map.of("mds-context", 1), Map.of(11L, "0-1"), Map.of());
        draft.inspection = new Inspection(
                Stream.of(Deployment.SERVICE, Deployment.GATEWAY, Soak.VICTIM, Deployment.EXCHANGE, Inspection.LAB)
                        .map(name -> new ProcessUse(name, reading, reading, 1 << 28, 1 << 24))
                        .toList(),
                7L);
        return draft;
    }

    private static RunOutcome pressed(Scenario scenario, Fidelity fidelity, Remedy remedy) {
        RunPlan plan = Records.with(Plans.of(scenario, scenario.workload(), fidelity), "remedy", remedy);
        Draft draft = healthy(plan);
        draft.subscriber(Deployment.SERVICE, "faults", Map.of(MemoryPressure.FAULT, MysteryRun.report(true, "it did")));
        draft.events.add(MysteryRun.accounted(45_000, (remedy.equals(Remedy.POLITE_JOURNAL) ? 4L : 36L) << 20));
        if (fidelity == Fidelity.NATURAL) {
            draft.stalls.add(new Stall(Deployment.SERVICE, 1_000, 170, "mds-context", 1, Cause.MAJOR_FAULT.label()));
            draft.pageFaults.add(new PageFaultRecord(
                    2_000, 169, Deployment.SERVICE, "mds-context", true, "t.dat", "0x1000", "/t.dat", "", List.of()));
            draft.drops(Deployment.SERVICE, 400);
            draft.naks(Deployment.SERVICE, 6);
        }
        return draft.outcome();
    }

    /** Twenty customers were slow; the ten that read order by order were disconnected, and began again. */
    private static RunOutcome served(Scenario scenario) {
        RunPlan plan = Plans.of(scenario, scenario.workload());
        Draft draft = healthy(plan.with(scenario.customers(plan)));
        draft.deployed.keySet().forEach(name -> {
            draft.subscriber(name, "booksDigest", 7L);
            draft.report(
                    name,
                    "serving",
                    new ServingReport(
                            new ServingReport.Connections(1_000, 1_000, 0),
                            new ServingReport.Slow(12, 10, 5_000, 65_536),
                            40_000,
                            null));
        });
        LatencyRecord.Hop hop = new LatencyRecord.Hop(1, 1, 1, 1, 1);
        FaultRecord fired = MysteryRun.report(true, "it did");
        draft.customers = new CustomersReport(
                List.of(
                        new CustomersReport.Served(
                                Deployment.SERVICE,
                                new CustomersRecord.Kinds(1, 0, 0, 0),
                                new CustomersReport.Served.Progress(1, 0, 0, 32_000, Map.of(7L, 1)),
                                new CustomersRecord.Lateness(hop, hop, null)),
                        new CustomersReport.Served(
                                Deployment.GATEWAY,
                                new CustomersRecord.Kinds(50, 1, 1, 948),
                                new CustomersReport.Served.Progress(1_000, 10, 0, 90_000, Map.of(7L, 52)),
                                new CustomersRecord.Lateness(hop, hop, stale(40)))),
                Map.of(SlowClients.STOPPED, fired, SlowClients.TRICKLING, fired));
        return draft.outcome();
    }

    /** Prices of one instrument were stale once. */
    static StaleQuotesRecord stale(double longestMs) {
        return new StaleQuotesRecord(100, 1, 1, longestMs, longestMs, 1, 0.01);
    }

    private static RunOutcome masked(Fidelity fidelity) {
        MysteryRun mystery = new MysteryRun(Remedy.NONE, fidelity);
        Draft draft = new Draft(mystery.outcome());
        draft.plan = Records.with(draft.plan, "scenario", "masked");
        draft.subscriber(Deployment.GATEWAY, "faults", Map.of(Masked.LOSS, MysteryRun.report(true, "it did")));
        draft.naks(Deployment.GATEWAY, 6);
        draft.diagnosis(
                Diagnoses.of(Map.of(Deployment.SERVICE, mystery.diagnosed, Deployment.GATEWAY, Cause.NETWORK_LOSS)));
        return draft.outcome();
    }

    private static RunOutcome outcome(CauseScenario scenario) {
        RunPlan plan = Plans.of(scenario, EVENTS_PER_SECOND);
        Draft draft = healthy(plan);
        draft.diagnosis(scenario.injected(), Confidence.CERTAIN);
        FaultRecord fired = MysteryRun.report(true, "it did");
        String on = scenario.fault(plan).on();
        String id = scenario.fault(plan).id();
        if (scenario.isFromOutside()) {
            draft.outsideFaults.put(id, fired);
        } else if (on.equals(Deployment.EXCHANGE)) {
            draft.exchange("faults", Map.of(id, fired));
        } else {
            draft.subscriber(on, "faults", Map.of(id, fired));
        }
        scenario.victims().forEach(draft::silence);
        if (scenario instanceof NakIgnoreTrap) {
            draft.subscriber(on, "faults", Map.of(id, lostTwice(4, 1_060_000_000)));
            draft.exchange("transport", new TransportRecord(0, 14, 4, 8_192, 0, 0));
        }
        sawOnArrival(scenario.injected(), draft);
        return draft.outcome();
    }

    /** The busy process ran elsewhere. */
    private static RunOutcome isolated(CauseScenario scenario) {
        RunPlan plan = Records.with(Plans.of(scenario, EVENTS_PER_SECOND), "remedy", Remedy.ISOLATE);
        Draft draft = healthy(plan);
        draft.outsideFaults.put(scenario.fault(plan).id(), contended(false, 150_000_000));
        return draft.outcome();
    }

    /** The proof of a busy process that a thread waited for, or not. */
    static FaultRecord contended(boolean isWaited, long burntNs) {
        long runDelayNs = isWaited ? burntNs : 100_000;
        return new FaultRecord(
                true,
                new FaultRecord.Proof(
                        isWaited, "it did", Map.of("burntNs", burntNs, "runDelayNs", runDelayNs), List.of()));
    }

    /** The proof of datagrams that were lost, and came back. */
    static FaultRecord lostTwice(long losses, long longestRepairNs) {
        return new FaultRecord(
                true,
                new FaultRecord.Proof(
                        true, "it did", Map.of("firings", losses, "longestRepairNs", longestRepairNs), List.of()));
    }

    private static void sawOnArrival(Cause injected, Draft draft) {
        switch (injected) {
            case NETWORK_DELAY -> {
                draft.naks(Deployment.SERVICE, 6);
                draft.transport(Deployment.SERVICE, "overtakenDatagrams", 180);
                draft.transport(Deployment.SERVICE, "repeatedDatagrams", 180);
            }
            case NETWORK_REORDERING -> draft.transport(Deployment.SERVICE, "overtakenDatagrams", 170);
            case NETWORK_DUPLICATION -> draft.transport(Deployment.SERVICE, "repeatedDatagrams", 170);
            default -> {}
        }
    }

    /** Everything arrived, and nothing else happened. */
    private static Draft healthy(RunPlan plan) {
        Draft draft = new Draft(new MysteryRun(Remedy.APPLICATION_RATE_LIMIT).outcome());
        long events = plan.workload().plannedEvents();
        draft.plan = plan;
        draft.exchange("published", events);
        draft.deployed.keySet().forEach(name -> draft.subscriber(name, "received", events));
        draft.subscriber(Deployment.SERVICE, "journaled", events);
        draft.subscriber(Deployment.SERVICE, "faults", Map.of());
        draft.journal("events", events);
        draft.journal("trailerCount", events);
        draft.sockets.replaceAll(
                socket -> Records.with(socket, "port", plan.channels().port(Topic.ORDER_BOOK_EVENTS)));
        return draft;
    }
}
