package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Diagnoses;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.causes.GcOrSafepoint;
import org.naklab.lab.scenarios.causes.NetworkLoss;
import org.naklab.lab.scenarios.causes.SlowCallback;
import org.naklab.lab.scenarios.record.RunResult;

@Timeout(60)
final class PairExperimentTest {
    private static final CausePair APART = CausePair.apart(new SlowCallback(), new NetworkLoss());
    private static final CausePair TOGETHER = CausePair.together(new SlowCallback(), new GcOrSafepoint());

    private final Deque<RunResult> results = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();

    @Test
    void shouldSucceedIfBothAreNamedEachAtItsReceiver() throws Exception {
        ends(Verdict.PASS, Map.of("mds", Cause.SLOW_CALLBACK, "gateway-1", Cause.NETWORK_LOSS));
        PairMatrix matrix = run(APART, 1);
        assertThat(matrix.isSuccess()).isTrue();
        assertThat(told).containsExactly("run 7", "slow-callback at mds + network-loss at gateway-1: counted");
        assertThat(new ObjectMapper().readTree(matrix.text()).toString())
                .isEqualTo("{'matrix':{'P':{'P':1}},'before':{'P':{'slow-callback at mds':1}},'others':{'P':{}},"
                                .replace("P", APART.toString())
                                .replace('\'', '"')
                        + "'attempts':{'P':1},'failed':{'P':0},'leftOut':{}}"
                                .replace("P", APART.toString())
                                .replace('\'', '"'));
    }

    /** The loss of one receiver does not count for the other one. */
    @Test
    void shouldNotSucceedIfACauseIsNamedElsewhere() throws Exception {
        ends(Verdict.PASS, Map.of("mds", Cause.NETWORK_LOSS, "gateway-1", Cause.SLOW_CALLBACK));
        PairMatrix matrix = run(APART, 1);
        assertThat(matrix.isSuccess()).isFalse();
        assertThat(row(matrix, APART).named())
                .containsOnlyKeys("neither, but network-loss at mds, slow-callback at gateway-1");
    }

    @Test
    void shouldNotSucceedIfOnlyOneIsNamed() throws Exception {
        ends(Verdict.PASS, Map.of("mds", Cause.SLOW_CALLBACK));
        PairMatrix matrix = run(TOGETHER, 1);
        assertThat(matrix.isSuccess()).isFalse();
        assertThat(told).contains("slow-callback at mds, then gc-or-safepoint at mds: counted");
        assertThat(row(matrix, TOGETHER).named()).containsOnlyKeys("only slow-callback at mds");
    }

    @Test
    void shouldNotSucceedWithAFailedRun() throws Exception {
        ends(Verdict.FAIL, Map.of("mds", Cause.SLOW_CALLBACK, "gateway-1", Cause.NETWORK_LOSS));
        assertThat(run(APART, 1).isSuccess()).isFalse();
    }

    @Test
    void shouldRepeatARunInDoubtAtMostTwice() throws Exception {
        for (int i = 0; i < 4; i++) {
            ends(Verdict.PASS, Map.of("mds", Cause.MACHINE_STALLED));
        }
        PairMatrix matrix = run(APART, 1);
        assertThat(told).filteredOn("run 7"::equals).hasSize(3);
        assertThat(told).filteredOn("gate"::equals).hasSize(2);
        assertThat(matrix.isSuccess()).isFalse();
        assertThat(results).hasSize(1);
    }

    @Test
    void shouldListWhatElseWasNamed() throws Exception {
        ends(
                Verdict.PASS,
                Map.of("mds", Cause.SLOW_CALLBACK, "gateway-1", Cause.NETWORK_LOSS, "exchange", Cause.SENDER_PAUSED));
        assertThat(row(run(APART, 1), APART).others()).isEqualTo(Map.of(Cause.SENDER_PAUSED + " at exchange", 1));
    }

    static List<CausePair> pairs() {
        return CausePair.defaults();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void shouldHaveFaultsThatARunCanTake(CausePair pair) {
        FaultPlan plan = new FaultPlan(1, pair.faults());
        FaultKinds.onClassPath().check(plan);
        RunPlan run = RunPlan.draft(pair.scenario()).with(new AddedFaults(pair.faults(), List.of()));
        run.added().check(run, pair.scenario().warmUpNs(run));
        assertThat(run.added().into(Deployment.standard(run), run, 0).subscribers())
                .hasSize(2);
        assertThat(pair.faults())
                .extracting(FaultSpec::on)
                .isEqualTo(pair.faults().isEmpty() ? List.of() : targets(pair));
    }

    private static List<String> targets(CausePair pair) {
        return List.of(pair.first().process(), pair.second().process());
    }

    @Test
    void shouldHavePairsOfBothSortsByDefaultAndNoneTwice() {
        Set<String> names = new HashSet<>();
        assertThat(CausePair.defaults())
                .allSatisfy(pair -> assertThat(names.add(pair.toString())).isTrue());
        assertThat(CausePair.defaults()).anyMatch(CausePair::isOneAfterTheOther);
        assertThat(CausePair.defaults()).anyMatch(pair -> !pair.isOneAfterTheOther());
    }

    private static PairMatrix.Row row(PairMatrix matrix, CausePair pair) {
        return Objects.requireNonNull(matrix.rows().get(pair.toString()));
    }

    private void ends(Verdict verdict, Map<String, Cause> named) {
        results.add(new RunResult(
                new MysteryRun(Remedy.NONE).outcome().withDiagnosis(Diagnoses.of(named)),
                List.of(),
                verdict,
                List.of()));
    }

    private PairMatrix run(CausePair pair, int seeds) throws InterruptedException {
        return new PairExperiment(
                        List.of(pair),
                        (chosen, seed, cancelled) -> {
                            told.add("run " + seed);
                            return new Confusion.Attempt(results.remove(), Path.of("run"));
                        },
                        (cancelled, teller) -> told.add("gate"),
                        new Told())
                .run(seeds, 7, new Cancellation());
    }

    private final class Told implements PairExperiment.Listener {
        @Override
        public void onSkipped(CausePair pair, String reason) {
            told.add("skipped " + reason);
        }

        @Override
        public void onRun(PairFinding finding, long seed, Confusion.Attempt attempt, boolean isCounted) {
            told.add(finding.pair() + ": " + (isCounted ? "counted" : "repeated"));
        }

        @Override
        public void onWaiting(String what) {
            told.add(what);
        }
    }
}
