package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.records.Stall;
import org.naklab.lab.studies.foreign.DiagnosisReading.Statement;

@Timeout(60)
final class ForeignMatrixTest {
    private static final long MS = 1_000_000;
    private static final Disturbance FREEZER =
            Scripts.disturbance("freezer", List.of(Set.of("process-frozen", "frozen-too")));
    private static final Disturbance PAIR =
            Scripts.disturbance("pair", List.of(Set.of("process-paused"), Set.of("cpu-preemption")));
    private static final Disturbance KINDS = Scripts.disturbance("kinds", List.of(), AccountKind.DISK);
    private static final Disturbance CONTROL = Scripts.disturbance("control", List.of(Set.of("clean")));
    /** From 1 s to 2 s. */
    private static final Proof MADE = new Proof(true, "state D", 1_000 * MS, 2_000 * MS, Set.of(), Set.of());

    private final Deque<ForeignExperiment.Outcome> outcomes = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final Cancellation cancellation = new Cancellation();
    private Optional<String> refusal = Optional.empty();
    private int failures;

    @Test
    void shouldCountEachAcceptedWordAsNamed() throws Exception {
        ends(MADE, "pass", says("process-frozen", "certain"));
        ends(MADE, "fail", says("frozen-too", "likely"));
        ForeignMatrix matrix = run(FREEZER, 2, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(2);
        assertThat(matrix.score().rightCertain()).isEqualTo(1);
        assertThat(matrix.score().sure().certain()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isTrue();
    }

    /** The results of hours must not be lost to one run. */
    @Test
    void shouldGoOnAfterARunThatFails() throws Exception {
        failures = 4;
        ends(MADE, "pass", says("process-frozen", "certain"));
        ForeignMatrix matrix = run(FREEZER, 2, Load.NONE);
        assertThat(told)
                .containsExactly(
                        "freezer none 7.1 not-made",
                        "freezer none 7.2 not-made",
                        "freezer none 7.3 not-made",
                        "freezer none 8.1 not-made",
                        "freezer none 8.2 named");
        assertThat(matrix.attempts().get(0).proof().text()).isEqualTo("the run failed: no recorder");
        assertThat(matrix.score().results().named()).isEqualTo(1);
    }

    @Test
    void shouldFailWithOneWrongCertainAmongManyRightOnes() throws Exception {
        for (int i = 0; i < 99; i++) {
            ends(MADE, "pass", says("process-frozen", "certain"));
        }
        ends(MADE, "pass", says("cpu-preemption", "certain"));
        ForeignMatrix matrix = run(FREEZER, 100, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(99);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldCountWrongCertainBesideRightMainCause() throws Exception {
        ends(
                MADE,
                "pass",
                new Statement("process-frozen", "certain", 1_000 * MS, 400),
                new Statement("gc-or-safepoint", "certain", 1_500 * MS, 100));
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldNotJudgeWhatHappenedAtAnotherTime() throws Exception {
        ends(
                MADE,
                "pass",
                new Statement("process-frozen", "certain", 1_000 * MS, 400),
                new Statement("gc-or-safepoint", "certain", 2_500 * MS, 100));
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().sure().certain()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isTrue();
    }

    @Test
    void shouldJudgeCleanWhileDisturbedAsWrong() throws Exception {
        ends(MADE, "pass", says("clean", "certain"));
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().results().wrong()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
    }

    @Test
    void shouldTellHonestSilenceFromSilence() throws Exception {
        ends(MADE, "pass", says("cannot-tell", "cannot tell"));
        ends(MADE, "pass", stalled(AccountKind.OTHER_WAIT), says("cannot-tell", "cannot tell"));
        ForeignMatrix matrix = run(FREEZER, 2, Load.NONE);
        assertThat(matrix.score().results().silent()).isEqualTo(1);
        assertThat(matrix.score().results().notExplained()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isZero();
        assertThat(matrix.isSuccess()).isFalse();
    }

    /** Nobody can be certain that the cause cannot be told. */
    @Test
    void shouldCountCertainIgnoranceAsWrongCertain() throws Exception {
        ends(MADE, "pass", stalled(AccountKind.OTHER_WAIT), says("cannot-tell", "certain"));
        assertThat(run(FREEZER, 1, Load.NONE).score().sure().wrongCertain()).isEqualTo(1);
    }

    @Test
    void shouldAllowATwentiethToBeUnexplained() throws Exception {
        ends(MADE, "pass", stalled(AccountKind.OTHER_WAIT), says("cannot-tell", "cannot tell"));
        for (int i = 0; i < 19; i++) {
            ends(MADE, "pass", says("process-frozen", "likely"));
        }
        assertThat(run(FREEZER, 20, Load.NONE).isSuccess()).isTrue();
        ends(MADE, "pass", stalled(AccountKind.OTHER_WAIT), says("cannot-tell", "cannot tell"));
        for (int i = 0; i < 18; i++) {
            ends(MADE, "pass", says("process-frozen", "likely"));
        }
        assertThat(run(FREEZER, 19, Load.NONE).isSuccess()).isFalse();
    }

    @Test
    void shouldWantAllCausesOfAPair() throws Exception {
        ends(MADE, "pass", says("process-paused", "certain"));
        ends(MADE, "pass", says("process-paused", "certain"), says("cpu-preemption", "likely"));
        ends(MADE, "pass", says("slow-callback", "likely"), says("cpu-preemption", "likely"));
        ForeignMatrix matrix = run(PAIR, 3, Load.NONE);
        assertThat(matrix.score().results().part()).isEqualTo(1);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        assertThat(matrix.score().results().wrong()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isZero();
    }

    @Test
    void shouldJudgeByLongestPartWhereOnlyKindsAreDeclared() throws Exception {
        ends(MADE, "pass", stalled(AccountKind.DISK), says("slow-consumer", "certain"));
        ends(MADE, "pass", stalled(AccountKind.SLEEP), says("slow-consumer", "certain"));
        ForeignMatrix matrix = run(KINDS, 2, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        assertThat(matrix.score().results().wrong()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
    }

    /** The word is right by accident where the account tells of something else. */
    @Test
    void shouldNotCountARightWordWithAWrongAccountAsNamed() throws Exception {
        Disturbance both = Scripts.disturbance("both", List.of(Set.of("disk-wait")), AccountKind.DISK);
        ends(MADE, "pass", stalled(AccountKind.DISK), says("disk-wait", "certain"));
        ends(MADE, "pass", stalled(AccountKind.SLEEP), says("disk-wait", "certain"));
        ForeignMatrix matrix = run(both, 2, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        assertThat(matrix.score().results().part()).isEqualTo(1);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isFalse();
        ends(MADE, "pass", says("disk-wait", "certain"));
        assertThat(run(both, 1, Load.NONE).score().results().named())
                .as("without a stall there is no account")
                .isEqualTo(1);
    }

    @Test
    void shouldAcceptWhatTheScriptMeasuredOfTheMachine() throws Exception {
        Proof busy = new Proof(true, "run queue 80 ms", 1_000 * MS, 2_000 * MS, Set.of("cpu-preemption"), Set.of());
        ends(MADE, "pass", says("cpu-preemption", "certain"));
        ends(busy, "pass", says("cpu-preemption", "certain"));
        ForeignMatrix matrix = run(CONTROL, 2, Load.NONE);
        assertThat(matrix.score().results().wrong()).isEqualTo(1);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        ends(busy, "pass", says("cpu-preemption", "likely"));
        assertThat(run(FREEZER, 1, Load.NONE).score().results().wrong())
                .as("the disturbance itself was passed over")
                .isEqualTo(1);
    }

    /** The machine was busy before and after, and the quota was taken for it. */
    @Test
    void shouldNotExcuseStatementAboutDisturbanceByWhatWasMeasuredAtAnotherTime() throws Exception {
        Proof quota = new Proof(true, "throttled 400 ms", 1_000 * MS, 2_000 * MS, Set.of(), Set.of("cpu-preemption"));
        ends(quota, "pass", stalled(AccountKind.THROTTLED), says("cpu-preemption", "certain"));
        ends(quota, "pass", new Statement("cpu-preemption", "certain", 5_000 * MS, 30));
        ForeignMatrix matrix = run(FREEZER, 2, Load.NONE);
        assertThat(matrix.score().results().wrong())
                .as("passed over both times")
                .isEqualTo(2);
        assertThat(matrix.score().sure().wrongCertain()).isEqualTo(1);
    }

    @Test
    void shouldListAttemptsThatWereNotMadeAndMakeThemAgain() throws Exception {
        ends(Proof.notMade("no effect"), "pass", says("process-frozen", "certain"));
        ends(MADE, "pass", says("process-frozen", "certain"));
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().tries().attempts()).isEqualTo(2);
        assertThat(matrix.score().notMade()).isEqualTo(1);
        assertThat(matrix.score().results().named())
                .as("a hit without proof is none")
                .isEqualTo(1);
        assertThat(matrix.score().sure().certain()).isEqualTo(1);
        assertThat(told).containsExactly("freezer none 7.1 not-made", "freezer none 7.2 named");
        assertThat(document(matrix).at("/attempts/0/judgement").asText()).isEqualTo("not-made");
        assertThat(document(matrix).at("/attempts/0/proof/text").asText()).isEqualTo("no effect");
    }

    @Test
    void shouldCountAttemptsThatAreRepeatedForAnotherSeedOrLoad() throws Exception {
        ends(MADE, "pass", says("gc-or-safepoint", "likely"));
        ends(MADE, "pass", says("process-frozen", "likely"));
        ends(MADE, "pass", says("process-frozen", "likely"));
        ends(MADE, "pass", says("process-frozen", "likely"));
        ForeignMatrix matrix = run(FREEZER, 2, Load.NONE, Load.BUSY);
        assertThat(matrix.score().tries().made()).isEqualTo(4);
        assertThat(matrix.score().results().named()).isEqualTo(3);
        assertThat(matrix.score().results().wrong()).as("a miss stays a miss").isEqualTo(1);
        assertThat(told)
                .containsExactly(
                        "freezer none 7.1 wrong",
                        "freezer none 8.1 named",
                        "freezer busy 7.1 named",
                        "freezer busy 8.1 named");
    }

    @Test
    void shouldNotSucceedIfADisturbanceWasNeverMade() throws Exception {
        for (int i = 0; i < 5; i++) {
            ends(Proof.notMade("no effect"), "pass", says("process-frozen", "certain"));
        }
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().tries().attempts()).isEqualTo(3);
        assertThat(matrix.score().results().named()).isZero();
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldCountVerdicts() throws Exception {
        ends(MADE, "unknown", says("process-frozen", "certain"));
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().results().named()).isEqualTo(1);
        assertThat(matrix.score().unexpectedVerdicts()).isEqualTo(1);
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldLeaveOutWhatTheMachineCannotMake() throws Exception {
        refusal = Optional.of("needs root");
        ForeignMatrix matrix = run(FREEZER, 1, Load.NONE);
        assertThat(matrix.score().tries().attempts()).isZero();
        assertThat(matrix.isSuccess()).as("nothing was made").isFalse();
        assertThat(document(matrix).at("/leftOut/freezer").asText()).isEqualTo("needs root");
        assertThat(told).containsExactly("left out freezer: needs root");
    }

    @Test
    void shouldStopWhenTheUserCancels() throws Exception {
        cancellation.request();
        assertThat(run(FREEZER, 3, Load.NONE).attempts()).isEmpty();
    }

    @Test
    void shouldPublishSharesAndPrecision() throws Exception {
        ends(MADE, "pass", says("process-frozen", "certain"));
        ends(MADE, "pass", says("process-frozen", "likely"));
        ends(MADE, "pass", stalled(AccountKind.OTHER_WAIT), says("cannot-tell", "cannot tell"));
        ends(MADE, "fail", says("clean", "certain"));
        JsonNode document = document(run(FREEZER, 4, Load.NONE));
        assertThat(document.path("passed").asBoolean()).isFalse();
        assertThat(document.at("/score/shareNamed").asDouble()).isEqualTo(0.5);
        assertThat(document.at("/score/shareNotExplained").asDouble()).isEqualTo(0.25);
        assertThat(document.at("/score/shareWrong").asDouble()).isEqualTo(0.25);
        assertThat(document.at("/score/certain").toString()).isEqualTo("{\"right\":1,\"all\":2,\"precision\":0.5}");
        assertThat(document.at("/disturbances/freezer/causes").toString())
                .isEqualTo("[[\"frozen-too\",\"process-frozen\"]]");
        assertThat(document.at("/attempts/2/account/0/kind").asText()).isEqualTo("other-wait");
        assertThat(document.at("/attempts/3/wrongCertain").toString()).isEqualTo("[\"clean\"]");
        assertThat(document.at("/attempts/3/verdict").asText()).isEqualTo("fail");
    }

    private static Statement says(String cause, String confidence) {
        return new Statement(cause, confidence, 0, 0);
    }

    private static Stall stalled(AccountKind kind) {
        return new Stall(
                "mds",
                1_000 * MS,
                400,
                "mds-context",
                0,
                "cannot-tell",
                new StallAccount(
                        List.of(new AccountEntry(kind, 300, ""), new AccountEntry(AccountKind.UNEXPLAINED, 100, ""))));
    }

    private void ends(Proof proof, String verdict, Statement... statements) {
        outcomes.add(new ForeignExperiment.Outcome(
                proof, verdict, new DiagnosisReading(List.of(statements), null), Path.of("run")));
    }

    private void ends(Proof proof, String verdict, Stall stall, Statement... statements) {
        outcomes.add(new ForeignExperiment.Outcome(
                proof, verdict, new DiagnosisReading(List.of(statements), stall), Path.of("run")));
    }

    private ForeignMatrix run(Disturbance disturbance, int seeds, Load... loads) throws Exception {
        return new ForeignExperiment(List.of(disturbance), List.of(loads), new RecordedRuns(), new Told())
                .run(seeds, 7, cancellation);
    }

    private static JsonNode document(ForeignMatrix matrix) throws Exception {
        return Json.parse(matrix.text());
    }

    private final class RecordedRuns implements ForeignExperiment.Runs {
        @Override
        public void check(Disturbance disturbance) {}

        @Override
        public Optional<String> refusal(Disturbance disturbance) {
            return refusal;
        }

        @Override
        public AutoCloseable load(Load load) {
            return () -> {};
        }

        @Override
        public ForeignExperiment.Outcome run(ForeignExperiment.Case chosen, Cancellation cancelled) {
            if (failures > 0) {
                failures--;
                throw new DetectException("no recorder");
            }
            return outcomes.remove();
        }
    }

    private final class Told implements ForeignExperiment.Listener {
        @Override
        public void onLeftOut(Disturbance disturbance, String reason) {
            told.add("left out " + disturbance.name() + ": " + reason);
        }

        @Override
        public void onAttempt(ForeignAttempt attempt) {
            told.add(attempt.trial().disturbance().name() + " "
                    + attempt.trial().load().label() + " " + attempt.trial().seed() + "."
                    + attempt.trial().number() + " " + ForeignMatrix.word(attempt));
        }
    }
}
