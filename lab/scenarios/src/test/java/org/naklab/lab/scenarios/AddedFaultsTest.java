package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.faults.datagram.Traffic;
import org.naklab.faults.host.CpuContentionFault;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.causes.CauseScenario;
import org.naklab.lab.scenarios.causes.Masked;
import org.naklab.lab.scenarios.causes.SlowCallback;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.record.ReplayCommandLine;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AddedFaultsTest {
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Set<String> PROCESSES = new TreeSet<>(Set.of("exchange", "gateway-1", "mds"));

    @Test
    void shouldCountTimeFromTheEndOfTheWarmUp() {
        Deployment deployment = deployed(fault("gc-pause", "mds").withWhen(When.atSecondBoundary(3_000)));

        FaultPlan plan = deployment.subscribers().get(0).config().faultPlan();
        assertThat(plan).isNotNull();
        assertThat(plan.faults()).singleElement().satisfies(fault -> assertThat(fault.when())
                .isEqualTo(new When("flow", 5_000, 0)));
        assertThat(plan.seed()).isEqualTo(1);
        assertThat(deployment.subscribers().get(1).config().faultPlan()).isNull();
        assertThat(deployment.exchange().config().faultPlan()).isNull();
    }

    @Test
    void shouldLeaveTheTimeOfAnEvent() {
        Deployment deployment = deployed(fault("gc-pause", "exchange").withWhen(new When("flow", 10, null)));
        FaultPlan plan = deployment.exchange().config().faultPlan();
        assertThat(plan).isNotNull();
        assertThat(plan.faults().get(0).when()).isEqualTo(new When("flow", 10, null));
    }

    @Test
    void shouldAddToTheFaultsOfTheScenario() {
        SlowCallback scenario = new SlowCallback();
        RunPlan plan = Plans.of(scenario, 5_000);
        AddedFaults added = new AddedFaults(List.of(fault("gc-pause", "mds")), List.of());
        FaultPlan faults = added.into(scenario.deploy(plan), plan, WARM_UP_NS)
                .subscribers()
                .get(0)
                .config()
                .faultPlan();
        assertThat(faults).isNotNull();
        assertThat(faults.faults()).extracting(FaultSpec::kind).containsExactly("slow-callback", "gc-pause");
    }

    @Test
    void shouldHaveTheLabRunWhatActsFromOutside() {
        AddedFaults added = new AddedFaults(
                List.of(fault("process-pause", "mds"), fault("machine-stall", "lab"), fault("gc-pause", "mds")),
                List.of());
        FaultPlan outside = added.outside(new FaultPlan(7, List.of()), WARM_UP_NS);
        assertThat(outside.seed()).isEqualTo(7);
        assertThat(outside.faults()).extracting(FaultSpec::kind).containsExactly("process-pause", "machine-stall");
        assertThat(outside.faults())
                .allSatisfy(fault -> assertThat(fault.when()).isEqualTo(new When("flow", 2_000, null)));
    }

    @Test
    void shouldFindEachTargetOfAPatternButNotTheLab() {
        assertThat(strikes(fault("gc-pause", "*"))).containsExactly("exchange", "gateway-1", "mds");
        assertThat(strikes(fault("gc-pause", "gateway-*"))).containsExactly("gateway-1");
        assertThat(strikes(fault("machine-stall", "lab"))).containsExactly("lab");
        assertThat(strikes(fault("process-pause", "mds"))).containsExactly("mds");
    }

    @Test
    void shouldRefuseATargetThatTheRunDoesNotHave() {
        assertThatThrownBy(() -> strikes(fault("gc-pause", "mdz")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is on 'mdz', which is no process of this run; did you mean mds?");
        assertThatThrownBy(() -> strikes(fault("process-pause", "gateway-*"))).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> strikes(fault("process-pause", "lab"))).isInstanceOf(UsageException.class);
    }

    @Test
    void shouldHaveTheLabRunTheFaultsOfContainersWhereThereAreContainers() {
        FaultSpec loss = fault("network-loss", "gateway-1");
        AddedFaults added = new AddedFaults(List.of(loss), List.of());

        assertThat(strikes(loss)).containsExactly("gateway-1");
        assertThat(added.outside(new FaultPlan(7, List.of()), WARM_UP_NS).faults())
                .singleElement()
                .isEqualTo(loss.withWhen(new When("flow", 2_000, null)));
        added.checkPlaces(true);
        assertThatThrownBy(() -> added.checkPlaces(false))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "network-loss is a fault of a container, and the processes of this run are on "
                                + "this machine: use --attach, or mystery with --fidelity evicted --containers, or 'naklab inject");
        assertThatThrownBy(() -> new AddedFaults(List.of(fault("process-pause", "mds")), List.of()).checkPlaces(true))
                .isInstanceOf(UsageException.class)
                .hasMessage("process-pause acts on processes of this machine; those of this run are in containers");
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMULATED", "AUDITED", "EVICTED", "NATURAL"})
    void shouldKnowWhichRunsAreInContainers(Fidelity fidelity) {
        Mystery mystery = new Mystery();
        RunPlan plan = Plans.of(mystery, mystery.workload(), fidelity).inContainers();

        assertThat(mystery.isContained(plan)).isEqualTo(fidelity.compareTo(Fidelity.AUDITED) > 0);
    }

    @Test
    void shouldRefuseATimeAfterTheFlow() {
        Baseline baseline = new Baseline();
        RunPlan plan = Plans.of(baseline, baseline.workload());
        AddedFaults inTime =
                new AddedFaults(List.of(fault("gc-pause", "mds").withWhen(When.afterMs(7_999))), List.of());
        AddedFaults late = new AddedFaults(List.of(fault("gc-pause", "mds").withWhen(When.afterMs(8_000))), List.of());
        inTime.check(plan, WARM_UP_NS);
        assertThatThrownBy(() -> late.check(plan, WARM_UP_NS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("would be armed 10.0 s after the flow has begun, which lasts 10.0 s");
    }

    @Test
    void shouldPassIfAFaultIsProvenAndEverythingWasRepaired() {
        Draft draft = baseline(true);
        draft.naks("mds", 3);
        assertThat(verdict(draft)).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldFailIfAFaultCostAnEventForGood() {
        Draft draft = baseline(true);
        draft.subscriber("mds", "missing", 1L);
        assertThat(verdict(draft)).isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldDoubtARunWhoseFaultIsNotProven() {
        assertThat(verdict(baseline(false))).isEqualTo(Verdict.UNKNOWN);
        Draft silent = baseline(true);
        silent.subscriber("mds", "faults", Map.of());
        assertThat(verdict(silent)).isEqualTo(Verdict.UNKNOWN);
    }

    /** Without its proof, the fault excuses nothing. */
    @Test
    void shouldNotExcuseANakByAFaultThatDidNotFire() {
        Draft draft = baseline(false);
        draft.naks("mds", 3);
        assertThat(verdict(draft)).isEqualTo(Verdict.FAIL);
    }

    /** A fault excuses NAKs only where it reaches. */
    @Test
    void shouldFailIfAReceiverMissedDatagramsThatTheFaultDoesNotReach() {
        Draft gateway = baseline(true);
        gateway.naks("gateway-1", 3);
        assertThat(verdict(gateway)).isEqualTo(Verdict.FAIL);
        Draft drops = baseline(true);
        drops.drops("gateway-1", 3);
        assertThat(verdict(drops)).isEqualTo(Verdict.FAIL);
        Draft service = withFaultAtExchange("gc-pause");
        service.naks("mds", 3);
        assertThat(verdict(service)).isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldPassIfTheFaultReachesAllReceivers() {
        for (String kind : List.of("traffic-burst", "datagram-loss")) {
            Draft draft = withFaultAtExchange(kind);
            draft.naks("mds", 3);
            draft.drops("gateway-1", 3);
            assertThat(verdict(draft)).as(kind).isEqualTo(Verdict.PASS);
        }
    }

    @Test
    void shouldRefuseWhatOnlyAnotherUserCanInject() {
        FaultKind contention = FaultKinds.onClassPath().named("cpu-contention");
        assertThat(contention.obstacle(contention(false))).isEmpty();
        assertThat(contention.obstacle(contention(true)))
                .isEqualTo(FaultKinds.onClassPath().named("machine-stall").obstacle());
    }

    private static FaultSpec contention(boolean isRealTime) {
        return FaultSpec.of(
                "cpu-contention", "mds", new CpuContentionFault.Parameters("mds-context", 1, isRealTime, 0));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fidelity.class,
            names = {"AUDITED", "SIMULATED"})
    void shouldNameTheKindsOfFaultsOfTwoCauses(Fidelity fidelity, @TempDir Path directory) {
        Masked masked = new Masked();
        RunPlan plan = masked.prepare(
                Plans.of(masked, masked.workload(), fidelity).at(directory, ""), masked.stallNs(), false);
        List<FaultSpec> injected = new ArrayList<>();
        masked.deploy(plan)
                .subscribers()
                .forEach(spec -> add(injected, spec.config().faultPlan()));
        assertThat(injected)
                .extracting(FaultSpec::kind)
                .contains("datagram-loss")
                .isSubsetOf(masked.faultKinds());
    }

    @Test
    void shouldReplayWithTheFaults() {
        Baseline baseline = new Baseline();
        RunPlan plan = Plans.of(baseline, baseline.workload())
                .with(new AddedFaults(List.of(), List.of("--fault", "gc-pause:live=1MiB@+3s", "--plan", "/a b")));
        assertThat(ReplayCommandLine.command(plan)).contains(" --fault gc-pause:live=1MiB@+3s --plan '/a b'");
    }

    private static Stream<CauseScenario> causes() {
        return Scenarios.all().stream().filter(CauseScenario.class::isInstance).map(CauseScenario.class::cast);
    }

    @ParameterizedTest
    @MethodSource("causes")
    void shouldNameTheKindsOfFaultsThatAScenarioInjects(CauseScenario scenario) {
        RunPlan plan = Plans.of(scenario, 5_000);
        Deployment deployment = scenario.deploy(plan);
        List<FaultSpec> injected = new ArrayList<>(scenario.outsideFaults(plan).faults());
        deployment.subscribers().forEach(spec -> add(injected, spec.config().faultPlan()));
        add(injected, deployment.exchange().config().faultPlan());
        assertThat(injected).extracting(FaultSpec::kind).containsExactlyInAnyOrderElementsOf(scenario.faultKinds());
    }

    @Test
    void shouldNameKindsThatThereAre() {
        assertThat(Scenarios.all())
                .flatExtracting(Scenario::faultKinds)
                .isNotEmpty()
                .allSatisfy(
                        kind -> assertThat(FaultKinds.onClassPath().named(kind)).isNotNull());
    }

    private static void add(List<FaultSpec> injected, @Nullable FaultPlan plan) {
        if (plan != null) {
            injected.addAll(plan.faults());
        }
    }

    private static Draft baseline(boolean fired) {
        Draft draft = PassingRuns.withAddedFault();
        FaultRecord report = MysteryRun.report(fired, fired ? "it did" : "no thread came by");
        draft.subscriber("mds", "faults", Map.of(PassingRuns.ADDED, report));
        return draft;
    }

    private static Draft withFaultAtExchange(String kind) {
        FaultSpec loss = FaultSpec.of(
                kind,
                "exchange",
                new DatagramLossFault.Parameters(
                        DatagramSeam.NAME, Selection.random(Direction.OUTBOUND, Traffic.DATA, 0.01)));
        FaultSpec added = new FaultSpec(
                PassingRuns.ADDED, kind, "exchange", null, 0, kind.equals("datagram-loss") ? loss.parameters() : null);
        Draft draft = PassingRuns.withAddedFault(added);
        draft.exchange("faults", Map.of(PassingRuns.ADDED, MysteryRun.report(true, "it did")));
        return draft;
    }

    private static Verdict verdict(Draft draft) {
        return Verdict.of(new Baseline()
                .check(draft.outcome()).stream().map(Expectation::verdict).toList());
    }

    private static List<String> strikes(FaultSpec fault) {
        return new AddedFaults(List.of(fault), List.of())
                .strikes(PROCESSES).stream().map(AddedFaults.Strike::process).toList();
    }

    private static Deployment deployed(FaultSpec fault) {
        Baseline baseline = new Baseline();
        RunPlan plan = Plans.of(baseline, baseline.workload());
        return new AddedFaults(List.of(fault), List.of()).into(baseline.deploy(plan), plan, WARM_UP_NS);
    }

    private static FaultSpec fault(String kind, String on) {
        return new FaultSpec("added-" + kind, kind, on, null, 0, null);
    }
}
