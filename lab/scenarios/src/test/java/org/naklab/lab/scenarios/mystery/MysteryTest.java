package org.naklab.lab.scenarios.mystery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;

@Timeout(60)
final class MysteryTest {
    private static final Mystery MYSTERY = new Mystery();

    private static Stream<Remedy> remedies() {
        return MysteryRemedies.ALL.stream().map(RemedyStrategy::remedy);
    }

    @ParameterizedTest
    @MethodSource("remedies")
    void shouldPassWhatIsAsPredicted(Remedy remedy) {
        assertThat(judge(new MysteryRun(remedy))).isEqualTo(Verdict.PASS);
    }

    record Case(String name, Remedy remedy, Verdict expected, Consumer<MysteryRun> change) {
        @Override
        public String toString() {
            return remedy + ", " + name;
        }
    }

    static Stream<Case> deviations() {
        return Stream.of(
                fail("no stall", Remedy.NONE, run -> run.stalls.clear()),
                fail("two stalls", Remedy.NONE, run -> run.stall(MysteryRun.BOUNDARY_NS, 150, "unknown")),
                fail("too long", Remedy.NONE, run -> replaceStall(run, MysteryRun.BOUNDARY_NS, 160.1)),
                fail("too short", Remedy.NONE, run -> replaceStall(run, MysteryRun.BOUNDARY_NS, 139.9)),
                fail("it had yielded before", Remedy.NONE, MysteryTest::yieldEarlier),
                fail("before the boundary", Remedy.NONE, run -> replaceStall(run, MysteryRun.BOUNDARY_NS - 1, 150)),
                fail("no drop", Remedy.NONE, run -> run.serviceDrops = 0),
                fail("no NAK", Remedy.NONE, run -> run.serviceNaks = 0),
                fail("the gateway dropped", Remedy.NONE, run -> run.gatewayDrops = 1),
                fail("the gateway sent a NAK", Remedy.NONE, run -> run.gatewayNaks = 1),
                fail("not repaired", Remedy.NONE, run -> run.missing = 1),
                fail("a stall", Remedy.BIND_NOW, run -> run.stall(MysteryRun.BOUNDARY_NS, 21, "unknown")),
                fail("a NAK", Remedy.BIND_NOW, run -> run.serviceNaks = 1),
                fail("a drop", Remedy.PRE_TOUCH, run -> run.serviceDrops = 1),
                fail("a stall", Remedy.APPLICATION_RATE_LIMIT, run -> run.stall(0, 21, "unknown")),
                fail("a collection", Remedy.BIND_NOW, run -> run.stall(0, 21, Cause.GC_OR_SAFEPOINT.label())),
                fail("no stall", Remedy.BIGGER_BUFFER, run -> run.stalls.clear()),
                fail("a NAK", Remedy.BIGGER_BUFFER, run -> run.serviceNaks = 1),
                unknown("too big a buffer", Remedy.NONE, run -> run.grantedBytes = 8 << 20),
                unknown("too small a buffer", Remedy.BIGGER_BUFFER, run -> run.grantedBytes = 212_992),
                unknown("nobody saw the service's sockets", Remedy.NONE, run -> run.blindTo(Deployment.SERVICE)),
                unknown("nobody saw the gateway's sockets", Remedy.NONE, run -> run.blindTo(Deployment.GATEWAY)),
                unknown("nobody saw that nothing dropped", Remedy.BIND_NOW, run -> run.blindTo(Deployment.SERVICE)),
                unknown("a busy machine", Remedy.NONE, run -> run.stall(0, 100, Cause.CPU_PREEMPTION.label())),
                unknown("the limiter never tripped", Remedy.NONE, run -> notFired(run, MysteryFaults.YIELD)),
                unknown("no hit at all", Remedy.NONE, run -> run.events.clear()),
                unknown("no fault in the process", Remedy.NONE, run -> run.faults.clear()),
                unknown("not bound late", Remedy.NONE, run -> notFired(run, MysteryFaults.BINDING)),
                unknown("no bind seen", Remedy.BIND_NOW, run -> run.events.removeIf(MysteryTest::isBind)),
                unknown("bound late after all", Remedy.BIND_NOW, MysteryTest::bindLate),
                unknown("never yielded", Remedy.PRE_TOUCH, run -> notFired(run, MysteryFaults.BINDING)),
                unknown("never armed", Remedy.APPLICATION_RATE_LIMIT, run -> run.faults.clear()),
                unknown("no snapshots", Remedy.APPLICATION_RATE_LIMIT, run -> run.snapshots = 0));
    }

    @ParameterizedTest
    @MethodSource("deviations")
    void shouldNotPassWhatDeviates(Case deviation) {
        MysteryRun run = new MysteryRun(deviation.remedy());
        deviation.change().accept(run);
        assertThat(judge(run)).isEqualTo(deviation.expected());
    }

    /** The verdict does not rest on stacks, nor on the exchange's sockets. */
    @Test
    void shouldPassWhenWhatIsBlindDecidesNothing() {
        MysteryRun run = new MysteryRun(Remedy.NONE).blindTo(Deployment.EXCHANGE);
        assertThat(judge(run)).isEqualTo(Verdict.PASS);
    }

    /** What is longer than predicted must be covered by the thread's own waits for a CPU, and these are told. */
    @ParameterizedTest
    @CsvSource({"PREEMPTED, 11, PASS", "STOLEN, 11, PASS", "PREEMPTED, 2, FAIL", "LOCK, 11, FAIL"})
    void shouldTakeOnlyAWaitForACpuForNoPartOfTheLength(AccountKind kind, double ms, Verdict expected) {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        Stall own = run.stalls.remove(0);
        run.stalls.add(new Stall(
                own.process(),
                own.atNs(),
                163.1,
                own.thread(),
                own.majorFaults(),
                own.cause(),
                new StallAccount(List.of(new AccountEntry(kind, ms, "")))));
        assertThat(judge(run)).isEqualTo(expected);
    }

    @Test
    void shouldPassBesideAForeignStallThatTheBufferHolds() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.stall(0, 30, Cause.CPU_PREEMPTION.label());
        assertThat(judge(run)).isEqualTo(Verdict.PASS);
    }

    /** No proof, no verdict: without the fault, that nothing stalled is no failure of the prediction. */
    @Test
    void shouldNotFailWhenTheFaultDidNotFire() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.stalls.clear();
        run.serviceDrops = 0;
        run.serviceNaks = 0;
        notFired(run, MysteryFaults.YIELD);
        assertThat(judge(run)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldFailWhatIsLostForGoodWhetherOrNotTheFaultFired() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.missing = 3;
        notFired(run, MysteryFaults.YIELD);
        assertThat(judge(run)).isEqualTo(Verdict.FAIL);
    }

    @ParameterizedTest
    @CsvSource({
        "NATURAL, LATE_BINDING_MAJOR_FAULT, PASS",
        "NATURAL, GC_OR_SAFEPOINT, UNKNOWN",
        "EVICTED, GC_OR_SAFEPOINT, UNKNOWN"
    })
    void shouldBeInDoubtWhenAnotherStallOfTheServiceWasWorse(Fidelity fidelity, Cause diagnosed, Verdict expected) {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.fidelity = fidelity;
        run.diagnosed = diagnosed;
        assertThat(MysteryPrediction.check(run.outcome(), Set.of()))
                .filteredOn(condition -> condition.kind() == MysteryPrediction.Claims.NONE_WORSE)
                .extracting(Expectation::verdict)
                .containsExactly(expected);
    }

    /** The buffer is made for a stall of the requested length; the natural one has a length of its own, and the flow of a short run ends in it. */
    @ParameterizedTest
    @CsvSource({"0, 150, FAIL", "0, 113, UNKNOWN", "3990, 150, UNKNOWN"})
    void shouldExpectLossOfAStallThatIsLongEnough(long sinceBoundaryMs, double stallMs, Verdict expected) {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        replaceStall(run, MysteryRun.BOUNDARY_NS + TimeUnit.MILLISECONDS.toNanos(sinceBoundaryMs), stallMs);
        run.serviceDrops = 0;
        run.serviceNaks = 0;
        assertThat(MysteryPrediction.check(run.outcome(), Set.of()))
                .filteredOn(condition -> condition.kind() == MysteryPrediction.Claims.SOCKET_DROPPED
                        || condition.kind() == MysteryPrediction.Claims.SENT_NAK)
                .extracting(Expectation::verdict)
                .containsExactly(expected, expected);
    }

    /** A busy machine delays the snapshots and the yield alike; who holds the lock may miss intervals of the limiter. */
    @Test
    void shouldJudgeTheBeginOfTheStallByWhatHappenedNotByTheTime() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        replaceStall(run, MysteryRun.BOUNDARY_NS + 60_000_000, 150);
        run.events.add(MysteryRun.woken(MysteryRun.BOUNDARY_NS + 8_000_000));
        run.events.add(MysteryRun.woken(MysteryRun.BOUNDARY_NS + 9_000_000));
        assertThat(MysteryPrediction.check(run.outcome(), Set.of()))
                .filteredOn(condition -> condition.kind() == MysteryPrediction.Claims.BEGAN_AT_BOUNDARY)
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.verdict()).isEqualTo(Verdict.PASS);
                    assertThat(condition.figures())
                            .isEqualTo("60.0 ms after the boundary, 59.0 ms after the first hit; senders woken in"
                                    + " between: 2, yields: 0");
                });
    }

    @Test
    void shouldTellASimulatedStallBySimulatedProof() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.fidelity = Fidelity.SIMULATED;
        run.faults.remove(MysteryFaults.BINDING);
        assertThat(judge(run)).isEqualTo(Verdict.UNKNOWN);

        FaultRecord.Firing parked =
                new FaultRecord.Firing(MysteryRun.BOUNDARY_NS, MysteryRun.BOUNDARY_NS + MysteryRun.STALL_NS, "parked");
        run.faults.put(
                MysteryFaults.PARKING,
                new FaultRecord(true, new FaultRecord.Proof(true, "parked", Map.of(), List.of(parked))));
        assertThat(judge(run)).isEqualTo(Verdict.PASS);
        assertThat(MYSTERY.story(run.outcome(), Verdict.PASS).get(0).text()).contains("SIMULATED");
    }

    /** Two processors are the replica's; with four, a run has customers unless it was told to have none. */
    @Test
    void shouldTellWhyThereAreNoCustomers() {
        RunPlan plan = new MysteryRun(Remedy.NONE).outcome().plan();
        assertThat(Mystery.whyNoCustomers(plan, 2))
                .hasValue("none: the replica needs the 2 processors of this machine; --clients 3 adds some");
        assertThat(Mystery.whyNoCustomers(plan, 4)).isEmpty();
        assertThat(Mystery.whyNoCustomers(plan.with(Customers.of(3)), 2)).isEmpty();
    }

    private static String story(Remedy remedy) {
        return MYSTERY.story(new MysteryRun(remedy).outcome(), Verdict.PASS).stream()
                .flatMap(line -> line.lines().stream())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldSayThatABiggerBufferHidesTheSymptom() {
        assertThat(story(Remedy.BIGGER_BUFFER)).contains("hidden, not cured");
    }

    @Test
    void shouldTellTheLatencyThatABiggerBufferLeaves() {
        LatencyRecord.Hop none = new LatencyRecord.Hop(0, 0, 0, 0, 0);
        LatencyRecord.Hop late = new LatencyRecord.Hop(30_000, 600, 140_000, 151_200, 152_000);
        MysteryRun run = new MysteryRun(Remedy.BIGGER_BUFFER);
        run.latency = new LatencyRecord(
                none, none, none, none, none, none, late, none, new LatencyRecord.Late(900, 700, 250), 0);

        assertThat(MYSTERY.story(run.outcome(), Verdict.PASS).stream()
                        .flatMap(line -> line.lines().stream())
                        .collect(Collectors.joining(" ")))
                .contains("the stall remains in the latency: p99.9 is 151 ms");
    }

    @Test
    void shouldTellWhyAndWhatToDoNext() {
        assertThat(story(Remedy.NONE))
                .contains(
                        "the dynamic linker bound sched_yield",
                        "bind-now removes the cause",
                        "naklab run mystery --fidelity audited --remedy bind-now");
    }

    private static Verdict judge(MysteryRun run) {
        return Verdict.of(
                MYSTERY.check(run.outcome()).stream().map(Expectation::verdict).toList());
    }

    private static Case fail(String name, Remedy remedy, Consumer<MysteryRun> change) {
        return new Case(name, remedy, Verdict.FAIL, change);
    }

    private static Case unknown(String name, Remedy remedy, Consumer<MysteryRun> change) {
        return new Case(name, remedy, Verdict.UNKNOWN, change);
    }

    private static void replaceStall(MysteryRun run, long atNs, double durationMs) {
        run.stalls.clear();
        run.stall(atNs, durationMs, Cause.LATE_BINDING_DELAY.label());
    }

    private static void yieldEarlier(MysteryRun run) {
        run.events.add(MysteryRun.yielded(MysteryRun.BOUNDARY_NS + 5_000_000, 0.02));
    }

    private static void notFired(MysteryRun run, String fault) {
        run.faults.put(fault, MysteryRun.report(false, "it did not"));
    }

    private static boolean isBind(ReportedEvent event) {
        return event.event() instanceof ProcessEvent.SymbolBound;
    }

    private static void bindLate(MysteryRun run) {
        run.events.removeIf(MysteryTest::isBind);
        run.events.add(MysteryRun.bound(MysteryRun.BOUNDARY_NS + 11_000_000));
    }
}
