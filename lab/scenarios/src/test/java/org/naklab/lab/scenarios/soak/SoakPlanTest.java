package org.naklab.lab.scenarios.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.core.UsageException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SoakPlanTest {
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);

    static Stream<FaultPlan> plans() {
        return LongStream.range(0, 8)
                .boxed()
                .flatMap(seed -> Stream.of(SoakPlan.of(seed, SHORT_NS), SoakPlan.of(seed, LONG_NS)));
    }

    @Test
    void shouldMakeTheSamePlanFromTheSameSeed() {
        assertThat(SoakPlan.of(7, LONG_NS)).isEqualTo(SoakPlan.of(7, LONG_NS));
        assertThat(SoakPlan.of(7, SHORT_NS).toJson())
                .isEqualTo(SoakPlan.of(7, SHORT_NS).toJson());
    }

    /** Seeds that failed once are kept: a change of the drawing makes them worthless. */
    @Test
    void shouldMakeThePlansOfEarlierVersions() {
        assertThat(SoakPlan.of(3, SHORT_NS).faults())
                .extracting(fault ->
                        fault.id() + " " + fault.on() + " " + fault.when().afterMs())
                .containsExactly(
                        "001-lazy-binding mds 1000",
                        "002-rate-limit-yield mds 1100",
                        "003-slow-journal mds 1900",
                        "004-page-eviction gateway-1 2778",
                        "005-disk-reads mds 3461",
                        "006-datagram-reordering mds 4358",
                        "007-cpu-contention gateway-2 5672",
                        "008-traffic-burst exchange 6746",
                        "009-stall mds 7176",
                        "010-softirq-storm mds 7705",
                        "011-rate-limit-yield mds 8712",
                        "012-gc-pause gateway-1 9661",
                        "013-process-kill gateway-2 10840",
                        "014-machine-stall lab 11016");
    }

    /** Beside the first two, which are the same in all plans but for their parameters. */
    @Test
    void shouldMakeOtherPlansFromOtherSeeds() {
        List<List<String>> orders = LongStream.range(0, 20)
                .mapToObj(seed -> SoakPlan.of(seed, SHORT_NS).faults().stream()
                        .map(fault -> fault.kind() + fault.when().afterMs())
                        .skip(2)
                        .toList())
                .toList();
        assertThat(orders).doesNotHaveDuplicates();
    }

    @Test
    void shouldLeaveARandomHalfOfTheKindsOutOfASwarm() {
        Set<Set<String>> choices = new HashSet<>();
        Set<String> used = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            FaultPlan whole = SoakPlan.of(seed, LONG_NS);
            FaultPlan swarm = SoakPlan.swarm(seed, LONG_NS);
            assertThat(swarm).isEqualTo(SoakPlan.swarm(seed, LONG_NS));
            assertThat(swarm.faults()).isSubsetOf(whole.faults());
            assertThat(kinds(swarm)).hasSize((kinds(whole).size() + 1) / 2);
            choices.add(kinds(swarm));
            used.addAll(kinds(swarm));
        }
        assertThat(choices).hasSize(20);
        assertThat(used).as("each kind has its turn").isEqualTo(kinds(SoakPlan.of(1, LONG_NS)));
    }

    @Test
    void shouldUseEveryKindOfProcessFault() {
        // A soak has no customers.
        Set<String> all = FaultKinds.onClassPath().all().stream()
                .map(FaultKind::name)
                .filter(kind -> !kind.equals("slow-client"))
                .collect(Collectors.toSet());
        assertThat(kinds(SoakPlan.of(1, LONG_NS))).isEqualTo(all);
        Set<String> ofShortOnes = new HashSet<>();
        LongStream.range(0, 12).forEach(seed -> ofShortOnes.addAll(kinds(SoakPlan.of(seed, SHORT_NS))));
        assertThat(ofShortOnes).isEqualTo(all);
    }

    private static Set<String> kinds(FaultPlan plan) {
        return plan.faults().stream().map(FaultSpec::kind).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("plans")
    void shouldBeReadBackAsAPlanOfTheCommandLine(FaultPlan plan) {
        FaultPlan read = FaultPlan.fromJson(plan.toJson());
        FaultKinds.onClassPath().check(read);
        assertThat(read.toJson()).isEqualTo(plan.toJson());
        assertThat(plan.faults()).hasSizeBetween(8, FaultPlan.MAX_FAULTS);
    }

    @ParameterizedTest
    @MethodSource("plans")
    void shouldListTheFaultsInTheOrderOfTheirTimes(FaultPlan plan) {
        List<Long> times =
                plan.faults().stream().map(fault -> fault.when().afterMs()).toList();
        assertThat(times).isSorted();
        assertThat(plan.faults()).extracting(FaultSpec::id).isSorted();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void shouldOverlapFaultsOfDifferentKindsOnly(FaultPlan plan) {
        boolean overlaps = false;
        for (FaultSpec one : plan.faults()) {
            for (FaultSpec other : plan.faults()) {
                if (!one.id().equals(other.id()) && isWithin(one, other)) {
                    overlaps = true;
                    assertThat(one.kind().equals(other.kind()) && one.on().equals(other.on()))
                            .as("%s and %s", one, other)
                            .isFalse();
                }
            }
        }
        assertThat(overlaps).isTrue();
    }

    /** Whether the first begins while the other is armed. */
    private static boolean isWithin(FaultSpec one, FaultSpec other) {
        return one.when().afterMs() >= other.when().afterMs() && one.when().afterMs() <= endMs(other);
    }

    private static long endMs(FaultSpec fault) {
        return fault.when().afterMs() + fault.forMs();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void shouldLeaveTheKilledProcessAlone(FaultPlan plan) {
        List<FaultSpec> kills = plan.faults().stream()
                .filter(fault -> fault.kind().equals(Soak.KILL))
                .toList();
        assertThat(kills).singleElement().satisfies(kill -> {
            assertThat(kill.on()).isEqualTo(Soak.VICTIM);
            assertThat(plan.faults())
                    .filteredOn(fault ->
                            fault.on().equals(Soak.VICTIM) && !fault.id().equals(kill.id()))
                    .allSatisfy(fault ->
                            assertThat(endMs(fault)).isLessThan(kill.when().afterMs()));
        });
    }

    @Test
    void shouldLeaveTimeToRepair() {
        for (long seed = 0; seed < 50; seed++) {
            assertThat(SoakPlan.shortestNs(SoakPlan.of(seed, LONG_NS))).isLessThanOrEqualTo(LONG_NS);
            assertThat(SoakPlan.shortestNs(SoakPlan.of(seed, SHORT_NS))).isLessThanOrEqualTo(SHORT_NS);
        }
    }

    @Test
    void shouldNeedLessTimeForABeginning() {
        FaultPlan plan = SoakPlan.of(3, LONG_NS);
        FaultPlan prefix = SoakPlan.prefix(plan, 30);
        assertThat(prefix.faults()).isEqualTo(plan.faults().subList(0, 30));
        assertThat(SoakPlan.shortestNs(prefix)).isLessThan(LONG_NS / 2);
        assertThat(SoakPlan.shortestNs(SoakPlan.prefix(plan, 0))).isPositive();
    }

    /** The others must stay as they are, so that machines with different privileges run the same faults. */
    @Test
    void shouldOnlyLeaveOutWhatTheMachineLacks() {
        FaultPlan plan = SoakPlan.of(3, LONG_NS);
        FaultPlan less = SoakPlan.without(plan, Set.of("machine-stall", "cpu-contention"));
        assertThat(kinds(less)).doesNotContain("machine-stall", "cpu-contention");
        assertThat(plan.faults()).containsAll(less.faults());
        assertThat(less.faults().size()).isGreaterThan(plan.faults().size() * 3 / 4);
    }

    @Test
    void shouldRefuseAFlowThatIsTooShortForFaults() {
        assertThatThrownBy(() -> SoakPlan.of(1, TimeUnit.SECONDS.toNanos(14)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("at least 15 s");
    }
}
