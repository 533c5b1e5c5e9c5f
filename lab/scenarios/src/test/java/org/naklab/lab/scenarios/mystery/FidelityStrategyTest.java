package org.naklab.lab.scenarios.mystery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;

@Timeout(60)
final class FidelityStrategyTest {
    /** The proofs that every run in which the thread yields needs. */
    private static final Set<String> OF_THE_YIELD = Set.of("LIMIT_HIT", "WAKE_UP_FAILED", "YIELDED_IN_FLOW");

    /** A word without a strategy could be asked for and would fail only when the run starts. */
    @Test
    void shouldHaveOneStrategyForEachFidelityThatMakesAStall() {
        Set<Fidelity> words = Arrays.stream(Fidelity.values())
                .filter(fidelity -> fidelity != Fidelity.NONE)
                .collect(Collectors.toSet());
        assertThat(MysteryFidelities.ALL)
                .extracting(FidelityStrategy::fidelity)
                .doesNotHaveDuplicates()
                .hasSameElementsAs(words);
    }

    @ParameterizedTest
    @CsvSource({
        "SIMULATED, 150, PASS",
        "SIMULATED, 159, PASS",
        "SIMULATED, 161, FAIL",
        "AUDITED, 150, PASS",
        "AUDITED, 159, PASS",
        "AUDITED, 161, FAIL",
        "EVICTED, 194, PASS",
        "EVICTED, 196, UNKNOWN",
        "EVICTED, 106, PASS",
        "EVICTED, 104, UNKNOWN",
        "NATURAL, 20, PASS",
        "NATURAL, 900, PASS"
    })
    void shouldTolerateTheLengthOfTheStall(Fidelity fidelity, double stalledMs, Verdict expected) {
        Stall stall = new Stall(Deployment.SERVICE, 0, stalledMs, "mds-context", 1, "late-binding-major-fault");
        assertThat(MysteryFidelities.of(fidelity).length(stall, sizing()).verdict())
                .isEqualTo(expected);
    }

    /** What the thread waited for a CPU may come on top of the length, and cover nothing else. */
    @ParameterizedTest
    @CsvSource({"164.3, 11.0, 5.3, PASS", "164.3, 2.0, 1.0, FAIL", "159.0, 11.0, 5.3, PASS", "139.0, 11.0, 5.3, FAIL"})
    void shouldTakeAWaitForACpuForNoPartOfTheLength(
            double stalledMs, double preemptedMs, double interruptedMs, Verdict expected) {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.SLEEP, stalledMs - preemptedMs - interruptedMs, ""),
                new AccountEntry(AccountKind.PREEMPTED, preemptedMs, ""),
                new AccountEntry(AccountKind.INTERRUPTED, interruptedMs, "")));
        Stall stall = new Stall(Deployment.SERVICE, 0, stalledMs, "mds-context", 0, "late-binding-simulated", account);
        assertThat(MysteryFidelities.of(Fidelity.SIMULATED)
                        .length(stall, sizing())
                        .verdict())
                .isEqualTo(expected);
    }

    /** Only the length of a stall for pages is the disk's. */
    @Test
    void shouldNotExcuseAnotherStallOfWrongLength() {
        Stall stall = new Stall(Deployment.SERVICE, 0, 250, "mds-context", 0, "gc-or-safepoint");
        assertThat(MysteryFidelities.of(Fidelity.EVICTED)
                        .length(stall, sizing())
                        .verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldNotTakeAnyStallForANaturalOne() {
        Stall stall = new Stall(Deployment.SERVICE, 0, 150, "mds-context", 0, "gc-or-safepoint");
        assertThat(MysteryFidelities.of(Fidelity.NATURAL)
                        .length(stall, sizing())
                        .verdict())
                .isEqualTo(Verdict.FAIL);
    }

    /** A collection contradicts the prediction on this machine, but not in a container with little memory. */
    @ParameterizedTest
    @CsvSource({
        "SIMULATED, gc-or-safepoint, false", "AUDITED, gc-or-safepoint, false",
        "EVICTED, gc-or-safepoint, true", "NATURAL, gc-or-safepoint, true",
        "SIMULATED, cpu-preemption, true", "AUDITED, machine-stalled, true",
        "EVICTED, cpu-preemption, true", "NATURAL, late-binding-major-fault, false",
        "AUDITED, late-binding-delay, false"
    })
    void shouldTellForeignStallsFromOwn(Fidelity fidelity, String cause, boolean foreign) {
        Stall stall = new Stall(Deployment.SERVICE, 0, 150, "mds-context", 0, cause);
        assertThat(MysteryFidelities.of(fidelity).isForeign(stall)).isEqualTo(foreign);
    }

    @ParameterizedTest
    @CsvSource({
        "SIMULATED, none, yield-held-up",
        "AUDITED, none, bound-late",
        "AUDITED, bigger-buffer, bound-late",
        "AUDITED, bind-now, bound-early yielded",
        "AUDITED, pre-touch, bound-early yielded",
        "EVICTED, none, bound-late reads-spent",
        "EVICTED, bind-now, reads-spent yielded",
        "NATURAL, none, bound-late evicted reads-spent",
        "NATURAL, bind-now, evicted reads-spent yielded",
        "NATURAL, pre-touch, pages-locked reads-spent yielded",
    })
    void shouldRequireTheProofOfTheDelay(Fidelity fidelity, Remedy remedy, String expected) {
        Set<String> proven = MysteryProof.check(new MysteryRun(remedy, fidelity).outcome()).stream()
                .map(condition -> String.valueOf(condition.kind()))
                .filter(claim -> !OF_THE_YIELD.contains(claim))
                .map(claim -> claim.toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(String.join(" ", proven)).isEqualTo(expected);
    }

    /** The faults in the order in which they are armed; each plan begins with the wake-up that fails. */
    @ParameterizedTest
    @CsvSource({
        "SIMULATED, rate-limit-yield stall",
        "EVICTED, rate-limit-yield lazy-binding disk-reads page-eviction",
        "NATURAL, rate-limit-yield lazy-binding disk-reads"
    })
    void shouldInjectWhatDelaysTheYield(Fidelity fidelity, String expected) {
        assertThat(faults(fidelity)).extracting(FaultSpec::id).containsExactly(expected.split(" "));
    }

    @Test
    void shouldEvictAfterTheReadsAreSpentAndBeforeTheBoundary() {
        List<FaultSpec> faults = faults(Fidelity.EVICTED);
        assertThat(phaseMs(faults.get(3))).isGreaterThan(phaseMs(faults.get(2))).isLessThan(1_000);
    }

    private static int phaseMs(FaultSpec fault) {
        Integer phaseMs = fault.when().phaseOfSecondMs();
        assertThat(phaseMs).isNotNull();
        return phaseMs;
    }

    /** The journal of a busy morning evicts the pages; without it, the memory would suffice. */
    @ParameterizedTest
    @EnumSource(value = Fidelity.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldSendABusyMorningOnlyToPressMemory(Fidelity fidelity) {
        boolean isBusy = MysteryFidelities.of(fidelity)
                        .workload(new Mystery().workload())
                        .morning()
                != null;
        assertThat(isBusy).isEqualTo(fidelity == Fidelity.NATURAL);
    }

    /** What is not said takes a minute; in a quarter of an hour, memory is used up as much more slowly. */
    @ParameterizedTest
    @CsvSource({"8, 60, 45, 8000", "60, 60, 45, 8000", "900, 900, 885, 2000"})
    void shouldHaveAMorningForEachForm(long askedS, long flowS, long morningS, long eventsPerSecond) {
        Workload natural = MysteryFidelities.of(Fidelity.NATURAL).workload(lasting(askedS));
        assertThat(natural.durationNs()).isEqualTo(TimeUnit.SECONDS.toNanos(flowS));
        assertThat(natural.morning()).isNotNull().satisfies(morning -> {
            assertThat(morning.durationNs()).isEqualTo(TimeUnit.SECONDS.toNanos(morningS));
            assertThat(morning.eventsPerSecond()).isEqualTo(eventsPerSecond);
        });
    }

    @Test
    void shouldRefuseAFlowThatIsTooShortForAMorning() {
        Workload tooShort = lasting(30);
        assertThatThrownBy(() -> MysteryFidelities.of(Fidelity.NATURAL).workload(tooShort))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("60 s or more");
    }

    /** The seed decides before the run, so that the order of eviction and yield is no choice of the lab. */
    @Test
    void shouldChooseTheBoundaryOfTheFirstYieldBySeed() {
        Set<Integer> chosen = LongStream.rangeClosed(1, 50)
                .mapToObj(NaturalPressure::boundariesBeforeCall)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(chosen).containsExactly(0, 1, 2, 3, 4);
        assertThat(faults(Fidelity.NATURAL).get(0).when().afterMs())
                .isEqualTo(faults(Fidelity.NATURAL).get(1).when().afterMs()
                        + TimeUnit.SECONDS.toMillis(
                                NaturalPressure.boundariesBeforeCall(new MysteryRun(Remedy.NONE, Fidelity.NATURAL)
                                        .plan()
                                        .seed())));
    }

    private static Workload lasting(long seconds) {
        return new Mystery().workload().withDurationNs(TimeUnit.SECONDS.toNanos(seconds));
    }

    @ParameterizedTest
    @CsvSource({"SIMULATED, true", "AUDITED, true", "EVICTED, false", "NATURAL, false"})
    void shouldRefuseACompositionIfItNeedsContainersOfItsOwn(Fidelity fidelity, boolean possible) {
        assertThat(MysteryFidelities.of(fidelity).compositionRefusal().isEmpty())
                .isEqualTo(possible);
    }

    @ParameterizedTest
    @CsvSource({
        "none, true",
        "bind-now, false",
        "pre-touch, false",
        "application-rate-limit, true",
        "bigger-buffer, true"
    })
    void shouldSimulateOnlyRemediesThatBindNothing(Remedy remedy, boolean possible) {
        assertThat(MysteryFidelities.of(Fidelity.SIMULATED)
                        .refusal(MysteryRemedies.of(remedy))
                        .isEmpty())
                .isEqualTo(possible);
    }

    private static List<FaultSpec> faults(Fidelity fidelity) {
        RunPlan plan = new MysteryRun(Remedy.NONE, fidelity).plan();
        ProcessSpec<ServiceConfig> service =
                Deployment.standard(plan).subscribers().get(0);
        ProcessSpec<ServiceConfig> faulty = MysteryFidelities.of(fidelity) instanceof ContainedStrategy contained
                ? contained.delayed(plan, new ReadThrottle(10, 50), "/journal", service)
                : MysteryFidelities.of(fidelity)
                        .deploy(plan, PreparationListener.NONE)
                        .subscribers()
                        .get(0);
        FaultPlan faults = faulty.config().faultPlan();
        assertThat(faults).isNotNull();
        return faults.faults();
    }

    private static BufferSizing sizing() {
        BufferSizing sizing = new MysteryRun(Remedy.NONE).plan().traffic().stall();
        assertThat(sizing).isNotNull();
        return sizing;
    }
}
