package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.scenarios.NoLossChecks.Claims;
import org.naklab.lab.scenarios.causes.Arrivals;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.causes.CauseScenario;
import org.naklab.lab.scenarios.causes.CpuPreemption;
import org.naklab.lab.scenarios.causes.Masked;
import org.naklab.lab.scenarios.causes.MemoryPressure;
import org.naklab.lab.scenarios.causes.NakIgnoreTrap;
import org.naklab.lab.scenarios.causes.ProcessEnded;
import org.naklab.lab.scenarios.convoy.LockConvoy;
import org.naklab.lab.scenarios.customers.SlowClients;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.lab.scenarios.mystery.MysteryFaults;
import org.naklab.lab.scenarios.mystery.MysteryPrediction;
import org.naklab.lab.scenarios.mystery.MysteryProof;
import org.naklab.lab.scenarios.soak.SoakInvariants;

/** The lies of {@link VerdictMutationTest}: at least one for every claim; a line each. */
final class Mutations {
    private static final List<Scenario> SCENARIOS = Scenarios.all();

    private Mutations() {}

    static List<Mutation> all() {
        return Stream.of(
                        ofTheRun(),
                        ofSubscribers(),
                        ofTheWire(),
                        ofTheJournal(),
                        ofTheBaseline(),
                        ofAddedFaults(),
                        ofTheSoak(),
                        ofCauses(),
                        ofIsolation(),
                        ofArrivals(),
                        ofTheTrap(),
                        ofTheEnd(),
                        ofTwoCauses(),
                        ofThePressure(),
                        ofTheConvoy(),
                        ofCustomers(),
                        ofTheProof(),
                        ofTheEarlyBind(),
                        ofTheStall(),
                        ofTheLoss())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Mutation> ofTheRun() {
        return List.of(
                Mutation.of(Claims.RUN_ENDED, "a child died", run -> run.troubles.add("mds was killed by signal 9")),
                Mutation.of(Claims.RUN_ENDED, "the exchange sent no final report", run -> run.exchange = null),
                Mutation.of(
                        Claims.EVIDENCE_KEPT,
                        "the samples could not be written",
                        run -> run.observation = run.observation.withUnkept(List.of("cannot write samples"))),
                Mutation.of(Claims.EVENTS_PUBLISHED, "nothing was sent", run -> run.exchange("published", 0L)),
                Mutation.of(
                        Claims.LOAD_OFFERED,
                        "a tenth was not sent",
                        run -> run.exchange("published", run.plan.workload().plannedEvents() * 89 / 100)),
                Mutation.of(Claims.FLOW_UNBROKEN, "the source broke off", run -> run.exchange("failure", "row 7")),
                Mutation.of(Claims.FLOW_UNBROKEN, "no trailer was sent", run -> run.exchange("done", false)));
    }

    private static List<Mutation> ofAddedFaults() {
        return List.of(
                Mutation.of(
                        Claims.ADDED_FAULT_FIRED,
                        "it did not fire",
                        run -> run.fault(PassingRuns.ADDED, MysteryRun.report(false, "nothing came by"))),
                Mutation.of(Claims.ADDED_FAULT_FIRED, "it has no proof", run -> run.fault(PassingRuns.ADDED, null)));
    }

    private static List<Mutation> ofTheSoak() {
        return List.of(
                Mutation.of(SoakInvariants.Claims.LIVED, "it died", Draft::silence),
                Mutation.of(
                        SoakInvariants.Claims.FAULTS_FIRED,
                        "half of them did not",
                        run -> run.fault(PassingRuns.SOAKED, MysteryRun.report(false, "nothing came by"))),
                Mutation.of(
                        SoakInvariants.Claims.FAULTS_UNDONE,
                        "one could not be undone",
                        run -> run.fault(
                                PassingRuns.SOAKED,
                                Records.with(MysteryRun.report(true, "it did"), "left", "could not be undone: gone"))),
                Mutation.of(
                        SoakInvariants.Claims.FAULTS_UNDONE,
                        "its process told nothing",
                        run -> run.fault(PassingRuns.SOAKED, null)),
                Mutation.of(
                        SoakInvariants.Claims.BOOKS_EQUAL,
                        "an order too many",
                        (run, name) -> run.subscriber(name, "booksDigest", 8L)),
                Mutation.of(
                        SoakInvariants.Claims.BOOKS_EQUAL,
                        "nothing to compare with",
                        (run, name) -> run.inspection =
                                Records.with(Objects.requireNonNull(run.inspection), "journalBooksDigest", null)),
                Mutation.of(
                        SoakInvariants.Claims.FREE_TO_RUN,
                        "it is stopped",
                        (run, name) -> run.atEnd(name, end -> Records.with(end, "isStopped", true))),
                Mutation.of(
                        SoakInvariants.Claims.FREE_TO_RUN,
                        "a thread is still bound to a CPU",
                        (run, name) -> run.atEnd(name, end -> Records.with(end, "affinity", Map.of(11L, "1")))),
                Mutation.of(
                        SoakInvariants.Claims.MEMORY_BOUNDED,
                        "it grew without end",
                        (run, name) -> run.atEnd(name, end -> Records.with(end, "anonymousBytes", 1L << 29))),
                Mutation.of(
                        SoakInvariants.Claims.JOURNAL_PAGES_BOUNDED,
                        "its blocks stay mapped",
                        run -> run.inspection = new Inspection(
                                Objects.requireNonNull(run.inspection).processes().stream()
                                        .map(use -> Records.with(use, "maxJournalBytes", 1L << 30))
                                        .toList(),
                                7L)),
                Mutation.of(
                        SoakInvariants.Claims.NO_DESCRIPTOR_LEFT,
                        "a file stays open, and a socket was closed",
                        (run, name) -> run.atEnd(
                                name, end -> Records.with(end, "descriptors", Map.of("socket", 2, "/tmp/left", 1)))),
                Mutation.of(
                        SoakInvariants.Claims.NO_THREAD_LEFT,
                        "a thread goes on",
                        (run, name) -> run.atEnd(name, end -> Records.with(end, "threads", Map.of("mds-context", 2)))),
                Mutation.of(
                        SoakInvariants.Claims.NO_PROCESS_LEFT,
                        "a busy process goes on",
                        (run, name) ->
                                run.atEnd(name, end -> Records.with(end, "children", Map.of("naklab-burner", 1)))),
                Mutation.of(
                        SoakInvariants.Claims.NO_PROCESS_LEFT,
                        "nobody looked",
                        run -> run.inspection = new Inspection(List.of(), 7L)));
    }

    private static List<Mutation> ofCustomers() {
        return List.of(
                Mutation.of(Customers.Claims.GOT_ALL, "one did not", (run, name) -> run.customers(name, "ended", 0)),
                Mutation.of(Customers.Claims.GOT_ALL, "nobody says so", (run, name) -> run.customers = null),
                Mutation.of(
                        Customers.Claims.SAME_BOOKS,
                        "one has another",
                        (run, name) -> run.customers(name, "books", Map.of(7L, 1, 8L, 1))),
                Mutation.of(Customers.Claims.SAME_BOOKS, "the server died", Draft::silence),
                Mutation.of(
                        SlowClients.Claims.FAULT_FIRED,
                        "it did not",
                        (run, name) -> run.customers = Records.with(
                                Objects.requireNonNull(run.customers),
                                "faults",
                                Map.of(name, MysteryRun.report(false, "it did not")))),
                Mutation.of(
                        SlowClients.Claims.WARNED_AND_DISCONNECTED,
                        "nobody was",
                        run -> run.serving(Deployment.GATEWAY, "disconnected", 0L)),
                Mutation.of(
                        SlowClients.Claims.WARNED_AND_DISCONNECTED,
                        "some were not warned",
                        run -> run.serving(Deployment.GATEWAY, "warned", 9L)),
                Mutation.of(
                        SlowClients.Claims.NOBODY_ELSE,
                        "one that reads was",
                        run -> run.serving(Deployment.GATEWAY, "disconnected", 11L)),
                Mutation.of(
                        SlowClients.Claims.CONFLATED,
                        "all were sent",
                        run -> run.serving(Deployment.GATEWAY, "skippedQuotes", 0L)),
                Mutation.of(
                        SlowClients.Claims.MEMORY_BOUNDED,
                        "a client kept a MiB",
                        run -> run.serving(Deployment.GATEWAY, "mostWaitingBytes", 1L << 20)),
                Mutation.of(
                        SlowClients.Claims.RECEIPT_UNDISTURBED,
                        "the ring was full",
                        run -> run.subscriber(Deployment.GATEWAY, "backPressure", 1L)),
                Mutation.of(
                        SlowClients.Claims.RECEIPT_NOT_STALLED,
                        "it did",
                        run -> run.stall(Deployment.GATEWAY, 40, Cause.SLOW_CALLBACK)),
                Mutation.of(
                        SlowClients.Claims.DROPPED_NOTHING, "it dropped one", run -> run.drops(Deployment.GATEWAY, 1)),
                Mutation.of(
                        SlowClients.Claims.DROPPED_NOTHING,
                        "nobody looked at its socket",
                        run -> run.overlook(Deployment.GATEWAY)),
                Mutation.of(SlowClients.Claims.SENT_NO_NAK, "it sent one", run -> run.naks(Deployment.GATEWAY, 1)),
                Mutation.of(
                        SlowClients.Claims.OTHERS_IN_TIME,
                        "a price was two seconds old",
                        run -> run.customers(Deployment.GATEWAY, "staleQuotes", PassingRuns.stale(2_000))),
                Mutation.of(
                        SlowClients.Claims.OTHERS_IN_TIME,
                        "nobody measured it",
                        run -> run.customers(Deployment.GATEWAY, "staleQuotes", null)));
    }

    private static List<Mutation> ofSubscribers() {
        return List.of(
                Mutation.of(Claims.RECEIVED_ALL, "an event dropped", (run, name) -> one(run, name, "received", -1)),
                Mutation.of(Claims.RECEIVED_ALL, "an event more", (run, name) -> one(run, name, "received", 1)),
                Mutation.of(Claims.RECEIVED_ALL, "it died", Draft::silence),
                Mutation.of(Claims.JOURNALED_ALL, "an event not kept", (run, name) -> one(run, name, "journaled", -1)),
                Mutation.of(Claims.JOURNALED_ALL, "it died", Draft::silence),
                Mutation.of(Claims.IN_ORDER, "an event missing", (run, name) -> run.subscriber(name, "missing", 1L)),
                Mutation.of(Claims.IN_ORDER, "one twice", (run, name) -> run.subscriber(name, "duplicated", 1L)),
                Mutation.of(Claims.IN_ORDER, "two swapped", (run, name) -> run.subscriber(name, "reordered", 1L)),
                Mutation.of(Claims.IN_ORDER, "it died", Draft::silence),
                Mutation.of(Claims.SAME_DIGEST, "a byte changed", (run, name) -> run.subscriber(name, "digest", 8L)),
                Mutation.of(Claims.SAME_DIGEST, "it died", Draft::silence),
                Mutation.of(
                        Claims.JOURNAL_ON_DISK,
                        "it could not be forced to disk",
                        run -> run.subscriber(Deployment.SERVICE, "journalForced", false)),
                Mutation.of(
                        Claims.JOURNAL_ON_DISK, "the service died", run -> run.subscribers.remove(Deployment.SERVICE)));
    }

    private static List<Mutation> ofTheWire() {
        List<Mutation> mutations = new ArrayList<>();
        for (String kind : List.of("foreignDatagrams", "invalidDatagrams", "rejectedMessages", "ignoredMessages")) {
            mutations.add(Mutation.of(ForeignTrafficCheck.Claims.OWN_FEED_ONLY, kind, (run, name) -> {
                ForeignTrafficRecord foreign = Records.with(ForeignTrafficRecord.NONE, kind, 1L);
                run.report(name, "foreign", foreign);
            }));
        }
        mutations.add(Mutation.of(ForeignTrafficCheck.Claims.OWN_FEED_ONLY, "it died", Draft::silence));
        mutations.add(Mutation.of(ForeignTrafficCheck.Claims.NO_TRANSPORT_ERROR, "an error", Draft::transportError));
        mutations.add(Mutation.of(ForeignTrafficCheck.Claims.NO_TRANSPORT_ERROR, "it died", Draft::silence));
        return mutations;
    }

    private static void one(Draft run, String name, String figure, long more) {
        ExchangeRecord exchange = run.exchange;
        run.subscriber(name, figure, (exchange == null ? 0 : exchange.sent().published()) + more);
    }

    private static List<Mutation> ofTheJournal() {
        List<Mutation> mutations = new ArrayList<>(List.of(
                Mutation.of(Claims.JOURNAL_VERIFIES, "an entry begun", run -> run.journal("entryBegun", true)),
                Mutation.of(Claims.JOURNAL_VERIFIES, "no trailer", run -> run.journal("trailerSeen", false)),
                Mutation.of(Claims.JOURNAL_VERIFIES, "a byte changed", run -> run.journal("digest", 8L)),
                Mutation.of(Claims.JOURNAL_VERIFIES, "it is cut short", run -> run.journal("events", 7L)),
                Mutation.of(Claims.JOURNAL_VERIFIES, "another feed's", run -> run.journal("expectedFeedId", 5L)),
                Mutation.of(
                        Claims.JOURNAL_VERIFIES,
                        "a file too many",
                        run -> run.journal("unaccounted", List.of("copy.cq4 is no part of it"))),
                Mutation.of(Claims.JOURNAL_HOLDS_ALL, "it is cut short", run -> run.journal("events", 7L)),
                Mutation.of(Claims.JOURNAL_SAME_DIGEST, "another feed's", run -> run.journal("digest", 8L))));
        for (String harm : List.of(
                "missing", "duplicates", "reordered", "unreadable", "afterTrailer", "damaged", "timestampsFallen")) {
            mutations.add(Mutation.of(Claims.JOURNAL_VERIFIES, harm, run -> run.journal(harm, 1L)));
        }
        for (String harm : List.of("missing", "duplicates", "reordered")) {
            mutations.add(Mutation.of(Claims.JOURNAL_IN_ORDER_SO_FAR, harm, run -> run.journal(harm, 1L)));
        }
        for (Claim claim : List.of(
                Claims.JOURNAL_VERIFIES,
                Claims.JOURNAL_HOLDS_ALL,
                Claims.JOURNAL_SAME_DIGEST,
                Claims.JOURNAL_IN_ORDER_SO_FAR)) {
            mutations.add(Mutation.of(claim, "there is none", run -> run.journal = null));
        }
        return mutations;
    }

    private static List<Mutation> ofTheBaseline() {
        return List.of(
                Mutation.of(Baseline.Claims.NO_NAK, "a NAK", (run, name) -> run.naks(name, 1)),
                Mutation.of(Baseline.Claims.NO_NAK, "it died", Draft::silence),
                Mutation.of(Baseline.Claims.NO_DROPS, "the service's", run -> run.drops(Deployment.SERVICE, 1)),
                Mutation.of(Baseline.Claims.NO_DROPS, "the gateway's", run -> run.drops(Deployment.GATEWAY, 1)),
                Mutation.of(Baseline.Claims.NO_DROPS, "a blind instrument", run -> run.blind(Deployment.GATEWAY)),
                Mutation.of(Baseline.Claims.NO_DROPS, "no socket found", run -> run.overlook(Deployment.SERVICE)),
                Mutation.of(Baseline.Claims.NO_DROPS, "none at all", run -> run.sockets.clear()),
                Mutation.of(Baseline.Claims.NO_DROPS_AT, "some", (run, name) -> run.drops(name, 1)),
                Mutation.of(Baseline.Claims.NO_DROPS_AT, "a blind instrument", (run, name) -> run.blind(name)),
                Mutation.of(Baseline.Claims.NO_DROPS_AT, "no socket found", (run, name) -> run.overlook(name)));
    }

    private static List<Mutation> ofIsolation() {
        return List.of(
                Mutation.of(
                        CpuPreemption.Claims.OTHER_RAN,
                        "it did not",
                        run -> contention(run, PassingRuns.contended(false, 0))),
                Mutation.of(CpuPreemption.Claims.OTHER_RAN, "nobody says so", run -> contention(run, null)),
                Mutation.of(
                        CpuPreemption.Claims.KEPT_ITS_CORE,
                        "it waited",
                        run -> contention(run, PassingRuns.contended(true, 150_000_000))),
                Mutation.of(CpuPreemption.Claims.KEPT_ITS_CORE, "nobody says so", run -> contention(run, null)),
                Mutation.of(CpuPreemption.Claims.DROPPED_NOTHING, "some", run -> run.drops(Deployment.SERVICE, 1)),
                Mutation.of(
                        CpuPreemption.Claims.DROPPED_NOTHING,
                        "a blind instrument",
                        run -> run.blind(Deployment.SERVICE)),
                Mutation.of(
                        CpuPreemption.Claims.DROPPED_NOTHING,
                        "no socket found",
                        run -> run.overlook(Deployment.SERVICE)));
    }

    private static void contention(Draft run, @Nullable FaultRecord report) {
        run.fault(new CpuPreemption().fault(run.plan).id(), report);
    }

    private static List<Mutation> ofCauses() {
        return List.of(
                Mutation.of(
                        CauseScenario.Claims.FAULT_FIRED,
                        "it did not",
                        (run, name) -> run.fault(faultOf(name, run), MysteryRun.report(false, "it did not"))),
                Mutation.of(
                        CauseScenario.Claims.FAULT_FIRED,
                        "nobody says so",
                        (run, name) -> run.fault(faultOf(name, run), null)),
                Mutation.of(
                        CauseScenario.Claims.CAUSE_NAMED,
                        "nothing was found",
                        run -> run.diagnosis(Cause.CLEAN, Confidence.CERTAIN)),
                Mutation.of(
                        CauseScenario.Claims.CAUSE_NAMED,
                        "another was named",
                        run -> run.diagnosis(Cause.LATE_BINDING_DELAY, Confidence.CERTAIN)),
                Mutation.of(
                        CauseScenario.Claims.CAUSE_NAMED,
                        "it is a guess",
                        run -> run.diagnosis(run.outcome().diagnosis().cause(), Confidence.CANNOT_TELL)),
                Mutation.of(CauseScenario.Claims.CAUSE_NAMED, "the machine stood still", run -> {
                            run.diagnosis(Cause.MACHINE_STALLED, Confidence.CERTAIN);
                            run.stalls.add(
                                    new Stall(Deployment.GATEWAY, 0, 150, "gateway-1-context", 0, "machine-stalled"));
                        })
                        .where(plan -> !plan.scenario().equals("machine-stalled")));
    }

    private static List<Mutation> ofArrivals() {
        List<Mutation> mutations = new ArrayList<>(List.of(
                arrival(Arrivals.Claims.OVERTAKEN, "none was", "overtakenDatagrams", 0),
                arrival(Arrivals.Claims.NONE_OVERTAKEN, "one was", "overtakenDatagrams", 1),
                arrival(Arrivals.Claims.REPEATED, "none was", "repeatedDatagrams", 0),
                arrival(Arrivals.Claims.NONE_REPEATED, "one was", "repeatedDatagrams", 1),
                arrival(Arrivals.Claims.ASKED_AGAIN, "no NAK", "naksSent", 0),
                arrival(Arrivals.Claims.NEVER_ASKED_AGAIN, "a NAK", "naksSent", 1)));
        for (Claim claim : Arrivals.Claims.values()) {
            mutations.add(Mutation.of(claim, "it died", Draft::silence));
        }
        return mutations;
    }

    private static Mutation arrival(Claim claim, String lie, String figure, long value) {
        return Mutation.of(claim, lie, (run, name) -> run.transport(name, figure, value));
    }

    private static List<Mutation> ofTheTrap() {
        return List.of(
                Mutation.of(
                        NakIgnoreTrap.Claims.NAKS_IGNORED,
                        "all were answered",
                        run -> run.exchange("transport", new TransportRecord(0, 4, 4, 8_192, 0, 0))),
                Mutation.of(
                        NakIgnoreTrap.Claims.LOST_TWICE,
                        "they were lost once",
                        run -> run.fault("datagram-loss", PassingRuns.lostTwice(2, 1_060_000_000))),
                Mutation.of(
                        NakIgnoreTrap.Claims.REPAIRED_LATE,
                        "they came back at the next NAK",
                        run -> run.fault("datagram-loss", PassingRuns.lostTwice(4, 310_000_000))));
    }

    private static List<Mutation> ofTheEnd() {
        return List.of(
                Mutation.of(
                        ProcessEnded.Claims.ENDED_EARLY,
                        "it lives",
                        (run, name) -> run.revive(name, Deployment.GATEWAY)),
                Mutation.of(ProcessEnded.Claims.JOURNAL_STARTED, "it is empty", run -> run.journal("events", 0L)),
                Mutation.of(ProcessEnded.Claims.JOURNAL_STARTED, "there is none", run -> run.journal = null));
    }

    private static List<Mutation> ofTwoCauses() {
        Map<String, Cause> exchanged =
                Map.of(Deployment.SERVICE, Cause.NETWORK_LOSS, Deployment.GATEWAY, Cause.LATE_BINDING_DELAY);
        List<Mutation> mutations = new ArrayList<>(List.of(
                Mutation.of(
                        Masked.Claims.LOSS_FIRED,
                        "it did not",
                        run -> run.fault(Masked.LOSS, MysteryRun.report(false, "it did not"))),
                Mutation.of(Masked.Claims.LOSS_FIRED, "nobody says so", run -> run.fault(Masked.LOSS, null)),
                Mutation.of(Masked.Claims.GATEWAY_ASKED_AGAIN, "no NAK", (run, name) -> run.naks(name, 0)),
                Mutation.of(Masked.Claims.GATEWAY_ASKED_AGAIN, "it died", Draft::silence),
                Mutation.of(
                        Masked.Claims.STALL_NAMED,
                        "the loss hides it",
                        run -> run.diagnosis(Diagnoses.of(Map.of(Deployment.GATEWAY, Cause.NETWORK_LOSS)))),
                Mutation.of(
                        Masked.Claims.LOSS_NAMED,
                        "the stall hides it",
                        run -> run.diagnosis(Diagnoses.of(Map.of(Deployment.SERVICE, Cause.LATE_BINDING_DELAY))))));
        for (Claim claim : List.of(Masked.Claims.STALL_NAMED, Masked.Claims.LOSS_NAMED)) {
            mutations.add(Mutation.of(claim, "each at the other", run -> run.diagnosis(Diagnoses.of(exchanged))));
        }
        return mutations;
    }

    private static String faultOf(String scenario, Draft run) {
        return SCENARIOS.stream()
                .filter(each -> each.name().equals(scenario))
                .findFirst()
                .map(found -> ((CauseScenario) found).fault(run.plan).id())
                .orElseThrow();
    }

    private static List<Mutation> ofTheProof() {
        List<Mutation> mutations = new ArrayList<>(List.of(
                Mutation.of(
                        MysteryProof.Claims.SNAPSHOTS_SENT,
                        "none",
                        run -> run.subscriber(Deployment.SERVICE, "snapshotsSent", 0L)),
                Mutation.of(
                        MysteryProof.Claims.LAY_IN_WAIT,
                        "it was not armed",
                        run -> run.fault(
                                MysteryFaults.YIELD,
                                Records.with(MysteryRun.report(false, "never armed"), "armed", false))),
                Mutation.of(
                        MysteryProof.Claims.LIMIT_HIT,
                        "it was not",
                        run -> remove(run, ProcessEvent.RateLimitHit.class)),
                Mutation.of(MysteryProof.Claims.YIELDED_IN_FLOW, "after the end of the flow", run -> {
                    Interval counted = run.counted;
                    if (counted != null) {
                        run.counted = new Interval(counted.beginNs(), MysteryRun.BOUNDARY_NS);
                    }
                }),
                Mutation.of(MysteryProof.Claims.YIELDED_IN_FLOW, "the flow never began", run -> run.counted = null),
                Mutation.of(
                        MysteryProof.Claims.YIELDED_IN_FLOW,
                        "nobody reported it",
                        run -> remove(run, ProcessEvent.Yielded.class)),
                Mutation.of(
                        MysteryProof.Claims.SQUEEZED,
                        "nobody took memory",
                        run -> remove(run, ProcessEvent.MemoryNarrowed.class)),
                Mutation.of(
                        MysteryProof.Claims.EVICTED,
                        "nobody looked",
                        run -> remove(run, ProcessEvent.MemoryNarrowed.class)),
                Mutation.of(MysteryProof.Claims.EVICTED, "they stayed", run -> {
                    remove(run, ProcessEvent.MemoryNarrowed.class);
                    run.events.add(MysteryRun.narrowed(false));
                }),
                Mutation.of(
                        MysteryProof.Claims.LAY_IN_WAIT, "nobody says so", run -> run.fault("rate-limit-yield", null)),
                Mutation.of(MysteryProof.Claims.PAGES_LOCKED, "none is", run -> {
                    remove(run, ProcessEvent.ResourcesUsed.class);
                    run.events.add(MysteryRun.used(0));
                }),
                Mutation.of(
                        MysteryProof.Claims.PAGES_LOCKED,
                        "nobody looked",
                        run -> remove(run, ProcessEvent.ResourcesUsed.class)),
                Mutation.of(MysteryProof.Claims.SNAPSHOTS_SENT, "it died", run -> run.silence("mds"))));
        for (String delay : List.of(MysteryFaults.BINDING, MysteryFaults.PARKING)) {
            boolean isSimulated = delay.equals(MysteryFaults.PARKING);
            mutations.add(Mutation.of(
                            MysteryProof.Claims.NOT_YIELDED,
                            delay + ": it yielded",
                            run -> run.fault(delay, MysteryRun.report(true, "it yielded")))
                    .where(plan -> isSimulated == (plan.fidelity() == Fidelity.SIMULATED)));
            mutations.add(Mutation.of(
                            MysteryProof.Claims.NOT_YIELDED, delay + ": nobody says so", run -> run.fault(delay, null))
                    .where(plan -> isSimulated == (plan.fidelity() == Fidelity.SIMULATED)));
        }
        mutations.addAll(unfired(MysteryProof.Claims.WAKE_UP_FAILED, MysteryFaults.YIELD));
        mutations.addAll(unfired(MysteryProof.Claims.YIELD_HELD_UP, MysteryFaults.PARKING));
        mutations.addAll(unfired(MysteryProof.Claims.READS_SPENT, MysteryFaults.READS));
        mutations.addAll(unfired(MysteryProof.Claims.BOUND_LATE, MysteryFaults.BINDING));
        return mutations;
    }

    private static List<Mutation> ofTheConvoy() {
        List<Mutation> mutations = new ArrayList<>(List.of(
                Mutation.of(
                        LockConvoy.Claims.WRITERS_RAN,
                        "one of them did not",
                        run -> ConvoyRuns.change(
                                run,
                                report -> Records.with(
                                        report, "writers", report.writers().subList(0, 3)))),
                Mutation.of(
                        LockConvoy.Claims.PROFILE_IS_EMPTY,
                        "they compute",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "cpuNs", writer.times().elapsedNs()))),
                Mutation.of(
                        LockConvoy.Claims.LOCK_NAMED,
                        "another file",
                        run -> ConvoyRuns.change(run, report -> Records.with(report, "lock", "/runs/other.lock"))),
                Mutation.of(
                        LockConvoy.Claims.LOCK_NAMED,
                        "no wait was seen",
                        run -> ConvoyRuns.change(run, report -> Records.with(report, "lockWait", null))),
                Mutation.of(
                        LockConvoy.Claims.TIME_IN_LOCK,
                        "hardly any",
                        run -> ConvoyRuns.change(run, report -> Records.with(report, "lockShare", 0.2))),
                Mutation.of(
                        LockConvoy.Claims.ONE_AT_A_TIME,
                        "two at a time",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "handlingNs", writer.times().elapsedNs() / 2))),
                Mutation.of(
                        LockConvoy.Claims.LOCK_WHERE_NEEDED,
                        "for one case more",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "locks", writer.calls().snapshots() + 1))),
                Mutation.of(
                        LockConvoy.Claims.TWO_AT_A_TIME,
                        "one at a time",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "handlingNs", writer.times().elapsedNs() / 4))),
                Mutation.of(
                        LockConvoy.Claims.SNAPSHOTS_STAY_SLOW,
                        "they are fast",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "snapshotNs", writer.calls().snapshots() * 1_000_000L))),
                Mutation.of(
                        LockConvoy.Claims.SNAPSHOTS_STAY_SLOW,
                        "the others are as slow",
                        run -> ConvoyRuns.changeWriters(
                                run,
                                writer -> Records.with(
                                        writer, "plainNs", writer.calls().plain() * 10_000_000L)))));
        Stream.of(LockConvoy.Claims.values())
                .map(claim -> Mutation.of(claim, "nobody looked", run -> run.plan = ConvoyRuns.at(run.plan, null)))
                .forEach(mutations::add);
        return mutations;
    }

    private static List<Mutation> ofTheTable() {
        return List.of(
                Mutation.of(MemoryPressure.Claims.FAULT_RECORDED, "nobody looked", run -> run.pageFaults.clear()),
                Mutation.of(
                        MemoryPressure.Claims.FAULT_RECORDED,
                        "no file",
                        run -> run.pageFaults.replaceAll(fault -> Records.with(fault, "file", null))),
                Mutation.of(
                        MemoryPressure.Claims.FAULT_RECORDED,
                        "of another time",
                        run -> run.pageFaults.replaceAll(fault -> Records.with(fault, "atNs", 1_000_000_000_000L))),
                Mutation.of(
                        MemoryPressure.Claims.STALLED,
                        "a collection",
                        run -> run.stalls.replaceAll(
                                stall -> Records.with(stall, "cause", Cause.GC_OR_SAFEPOINT.label()))),
                Mutation.of(MemoryPressure.Claims.DROPPED, "no drop", run -> run.drops(Deployment.SERVICE, 0)),
                Mutation.of(MemoryPressure.Claims.ASKED_AGAIN, "no NAK", run -> run.naks(Deployment.SERVICE, 0)));
    }

    private static List<Mutation> ofThePressure() {
        List<Mutation> mutations = new ArrayList<>(List.of(
                Mutation.of(MemoryPressure.Claims.AT_LIMIT, "never", run -> account(run, 0, 1 << 20)),
                Mutation.of(
                        MemoryPressure.Claims.AT_LIMIT,
                        "nobody looked",
                        run -> remove(run, ProcessEvent.MemoryAccounted.class)),
                Mutation.of(
                        MemoryPressure.Claims.STALLS_EXPLAINED,
                        "a lock",
                        run -> run.stalls.add(
                                new Stall(Deployment.SERVICE, 1, 30, "mds-context", 0, Cause.LOCK_WAIT.label()))),
                Mutation.of(
                        MemoryPressure.Claims.STALLS_EXPLAINED,
                        "nobody knows",
                        run -> run.stalls.add(
                                new Stall(Deployment.SERVICE, 1, 30, "mds-context", 0, Cause.UNEXPLAINED.label()))),
                Mutation.of(MemoryPressure.Claims.JOURNAL_DROPPED, "it stays", run -> account(run, 1, 36 << 20)),
                Mutation.of(
                        MemoryPressure.Claims.JOURNAL_DROPPED,
                        "nobody looked",
                        run -> remove(run, ProcessEvent.MemoryAccounted.class))));
        mutations.addAll(unfired(MemoryPressure.Claims.WRITTEN, MemoryPressure.FAULT));
        mutations.addAll(ofTheTable());
        return mutations;
    }

    private static void account(Draft run, long limitHits, long journalCachedBytes) {
        remove(run, ProcessEvent.MemoryAccounted.class);
        run.events.add(MysteryRun.accounted(limitHits, journalCachedBytes));
    }

    private static List<Mutation> unfired(Claim claim, String fault) {
        return List.of(
                Mutation.of(claim, "it did not fire", run -> run.fault(fault, MysteryRun.report(false, "it did not"))),
                Mutation.of(claim, "nobody says so", run -> run.fault(fault, null)),
                Mutation.of(claim, "the service died", run -> run.silence(Deployment.SERVICE)));
    }

    private static List<Mutation> ofTheEarlyBind() {
        return List.of(
                Mutation.of(
                        MysteryProof.Claims.BOUND_EARLY,
                        "no bind seen",
                        run -> remove(run, ProcessEvent.SymbolBound.class)),
                Mutation.of(
                        MysteryProof.Claims.BOUND_EARLY,
                        "no yield seen",
                        run -> remove(run, ProcessEvent.Yielded.class)),
                Mutation.of(MysteryProof.Claims.BOUND_EARLY, "bound late after all", run -> {
                    remove(run, ProcessEvent.SymbolBound.class);
                    run.events.add(MysteryRun.bound(MysteryRun.BOUNDARY_NS + 11_000_000));
                }),
                Mutation.of(
                        MysteryProof.Claims.YIELDED,
                        "it never yielded",
                        run -> run.fault(MysteryFaults.BINDING, MysteryRun.report(false, "no yield"))),
                Mutation.of(MysteryProof.Claims.YIELDED, "it died", run -> run.silence(Deployment.SERVICE)));
    }

    private static void remove(Draft run, Class<? extends ProcessEvent> kind) {
        run.events.removeIf(each -> kind.isInstance(each.event()));
    }

    private static List<Mutation> ofTheStall() {
        return List.of(
                Mutation.of(
                        MysteryPrediction.Claims.STALL_PLANNED,
                        "nobody reckoned",
                        run -> run.plan = run.plan.with(Records.with(run.plan.traffic(), "stall", null))),
                Mutation.of(MysteryPrediction.Claims.STALLED_ONCE, "no stall", run -> run.stalls.clear()),
                Mutation.of(
                        MysteryPrediction.Claims.STALLED_ONCE, "two stalls", run -> run.stalls.add(run.stalls.get(0))),
                stall(MysteryPrediction.Claims.MADE_BY_MAJOR_FAULTS, "an audited one", "cause", "late-binding-delay"),
                stall(MysteryPrediction.Claims.AS_LONG_AS_WANTED, "too short", "durationMs", 104.0),
                stall(MysteryPrediction.Claims.AS_LONG_AS_WANTED, "too long", "durationMs", 196.0),
                stall(MysteryPrediction.Claims.CONTEXT_THREADS, "another thread's", "thread", "mds-business"),
                stall(MysteryPrediction.Claims.BEGAN_AT_BOUNDARY, "before it", "atNs", MysteryRun.BOUNDARY_NS - 1),
                Mutation.of(
                        MysteryPrediction.Claims.BEGAN_AT_BOUNDARY,
                        "a yield before it",
                        run -> run.events.add(MysteryRun.yielded(MysteryRun.BOUNDARY_NS + 5_000_000, 0.02))),
                Mutation.of(
                        MysteryPrediction.Claims.NONE_WORSE,
                        "a collection took longer",
                        run -> run.diagnosis(Cause.GC_OR_SAFEPOINT, Confidence.CERTAIN)),
                Mutation.of(
                        MysteryPrediction.Claims.DID_NOT_STALL,
                        "a late bind",
                        run -> run.stalls.add(
                                new Stall(Deployment.SERVICE, 0, 21, "mds-context", 0, "late-binding-delay"))),
                Mutation.of(MysteryPrediction.Claims.MACHINE_QUIET, "a busy machine, a NAK in a gateway", run -> {
                            run.foreignStall(Deployment.GATEWAY, 100);
                            run.naks(Deployment.GATEWAY, 1);
                        })
                        .where(plan -> !plan.scenario().equals("masked")),
                Mutation.of(
                                MysteryPrediction.Claims.MACHINE_QUIET,
                                "the service had no processor for longer than its buffer holds",
                                run -> run.foreignStall(Deployment.SERVICE, 10_000))
                        .where(plan -> plan.fidelity() == Fidelity.AUDITED || plan.fidelity() == Fidelity.SIMULATED));
    }

    private static Mutation stall(Claim claim, String lie, String figure, Object value) {
        return Mutation.of(claim, lie, run -> run.stall(stall -> Records.with(stall, figure, value)));
    }

    private static List<Mutation> ofTheLoss() {
        return List.of(
                granted(MysteryPrediction.Claims.BUFFER_TOO_SMALL, "it holds the stall", 8 << 20),
                granted(MysteryPrediction.Claims.BUFFER_TOO_SMALL, "nobody told", 0),
                granted(MysteryPrediction.Claims.BUFFER_HOLDS, "it is too small", 212_992),
                granted(MysteryPrediction.Claims.BUFFER_HOLDS, "nobody told", 0),
                Mutation.of(MysteryPrediction.Claims.SOCKET_DROPPED, "no drop", run -> run.drops("mds", 0)),
                Mutation.of(MysteryPrediction.Claims.SOCKET_DROPPED, "a blind instrument", run -> run.blind("mds")),
                Mutation.of(MysteryPrediction.Claims.SOCKET_DROPPED, "no socket found", run -> run.overlook("mds")),
                Mutation.of(MysteryPrediction.Claims.SENT_NAK, "no NAK", run -> run.naks("mds", 0)),
                Mutation.of(MysteryPrediction.Claims.SENT_NAK, "it died", run -> run.silence("mds")),
                Mutation.of(MysteryPrediction.Claims.DROPPED_NOTHING, "a drop", (run, name) -> run.drops(name, 1)),
                Mutation.of(MysteryPrediction.Claims.DROPPED_NOTHING, "a blind instrument", Draft::blind),
                Mutation.of(MysteryPrediction.Claims.DROPPED_NOTHING, "no socket found", Draft::overlook),
                Mutation.of(MysteryPrediction.Claims.SENT_NO_NAK, "a NAK", (run, name) -> run.naks(name, 1)),
                Mutation.of(MysteryPrediction.Claims.SENT_NO_NAK, "it died", Draft::silence));
    }

    private static Mutation granted(Claim claim, String lie, int bytes) {
        return Mutation.of(claim, lie, run -> run.subscriber(Deployment.SERVICE, "grantedReceiveBufferBytes", bytes));
    }
}
