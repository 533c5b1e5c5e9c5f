package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.tools.tune.workload.Metric;

/** Simulates measurements: what the answers are worth. */
@Timeout(60)
final class TuningTest {
    private static final Arm ARM = Arm.parse("changed=-Dchanged=true");
    private static final int TRIALS = 100;
    private static final double NOISE = 0.02;

    @Test
    void shouldFindNoDifferenceWhereThereIsNone() throws InterruptedException {
        assertThat(answers(1.0).stream().filter(result -> result.answer() == Answer.NO_DIFFERENCE))
                .hasSizeGreaterThanOrEqualTo(95);
    }

    @Test
    void shouldFindAPlantedGain() throws InterruptedException {
        List<ArmResult> results = answers(1.1);
        assertThat(results.stream().filter(result -> result.answer() == Answer.HELPS))
                .hasSizeGreaterThanOrEqualTo(95);
        assertThat(results.stream()
                        .filter(result ->
                                result.effect().low() < 0.1 && result.effect().high() > 0.1))
                .hasSizeGreaterThanOrEqualTo(95);
    }

    @Test
    void shouldFindAPlantedLoss() throws InterruptedException {
        assertThat(answers(0.9).stream().filter(result -> result.answer() == Answer.HURTS))
                .hasSizeGreaterThanOrEqualTo(95);
    }

    @Test
    void shouldTurnTheSignWhereLessIsBetter() throws InterruptedException {
        assertThat(run(new Tuning(40, 0.03, Metric.MICROSECONDS), 1.1, 3).get(1).answer())
                .isEqualTo(Answer.HURTS);
    }

    @Test
    void shouldStopAsSoonAsTheAnswerIsKnown() throws InterruptedException {
        ArmResult large = run(new Tuning(200, 0.03, Metric.EVENTS), 2.0, 5).get(1);
        ArmResult small = run(new Tuning(200, 0.001, Metric.EVENTS), 1.02, 5).get(1);
        assertThat(large.answer()).isEqualTo(Answer.HELPS);
        assertThat(large.samples()).hasSizeLessThan(10);
        assertThat(small.samples()).hasSizeGreaterThan(large.samples().size());
    }

    @Test
    void shouldSayWhenTheRunsAreTooFew() throws InterruptedException {
        assertThat(run(new Tuning(3, 0.03, Metric.EVENTS), 1.0, 9).get(1).answer())
                .isEqualTo(Answer.NOT_ENOUGH_RUNS);
    }

    @Test
    void shouldGiveNoAnswerAboutWhatDidNotTakeEffect() throws InterruptedException {
        Measurement measurement = (arm, seed) -> new Sample(
                seed,
                new Sample.Cost(0, 0, 0, 0),
                List.of(),
                new Sample.Effect(List.of(), arm.equals(ARM) ? List.of("changed is false") : List.of()),
                List.of());
        List<ArmResult> results =
                new Tuning(40, 0.03, Metric.EVENTS).run(Arm.CONTROL, List.of(ARM), 1, measurement, unused -> {});
        assertThat(results.get(1).answer()).isEqualTo(Answer.NOT_IN_EFFECT);
        assertThat(results.get(1).samples()).hasSize(1);
    }

    /** The machine changes slowly, and neighbours in time are compared; each arm is first in its turn. */
    @Test
    void shouldRunTheArmsInTurns() throws InterruptedException {
        Arm other = Arm.parse("other=-Dother=true");
        List<String> order = new ArrayList<>();
        Measurement measurement = (arm, seed) -> {
            order.add(arm.name() + " " + seed);
            return sample(1);
        };
        List<ArmResult> unused = new Tuning(2, 1e-9, Metric.EVENTS)
                .run(Arm.CONTROL, List.of(ARM, other), 42, measurement, results -> {});
        assertThat(order)
                .containsExactly("default 42", "changed 42", "other 42", "changed 43", "other 43", "default 43");
    }

    /** Each of several arms has a smaller part of the probability of an error, so that its interval is wider. */
    @Test
    void shouldFindNoDifferenceOfOneArmAmongSeveral() throws InterruptedException {
        List<Arm> arms = List.of(ARM, Arm.parse("b=-Db=1"), Arm.parse("c=-Dc=1"), Arm.parse("d=-Dd=1"));
        int found = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            Random random = new Random(trial);
            Measurement measurement = (arm, seed) -> sample(1e6 * Math.exp(NOISE * random.nextGaussian()));
            found += new Tuning(Tuning.DEFAULT_ROUNDS, 0.03, Metric.EVENTS)
                                    .run(Arm.CONTROL, arms, 1, measurement, unused -> {})
                                    .get(1)
                                    .answer()
                            == Answer.NO_DIFFERENCE
                    ? 1
                    : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(95);
    }

    /** The values of a round are far from those of another one: runs of different rounds must not be compared. */
    @Test
    void shouldCountAFailedRunAndCompareTheOthers() throws InterruptedException {
        ArmRuns control = new ArmRuns(Arm.CONTROL);
        ArmRuns changed = new ArmRuns(ARM);
        for (int round = 0; round < 12; round++) {
            double usual = Math.pow(10, round);
            boolean isControlLost = round == 3;
            boolean isChangedLost = round == 1;
            control.add(round, control.measure(1, (arm, seed) -> lost(isControlLost, usual), Metric.EVENTS));
            changed.add(round, changed.measure(1, (arm, seed) -> lost(isChangedLost, 2 * usual), Metric.EVENTS));
        }
        ArmResult result = ArmResult.compare(changed, control, 0.05, new Tuning(40, 0.03, Metric.EVENTS));
        assertThat(result.effect().mean()).isCloseTo(1, within(1e-9));
        assertThat(result.answer()).isEqualTo(Answer.HELPS);
        assertThat(result.samples()).hasSize(11);
    }

    @Test
    void shouldLeaveOutTheRunThatFailed() throws InterruptedException {
        Random random = new Random(4);
        Measurement measurement = (arm, seed) -> {
            if (seed == 2 && arm.equals(ARM)) {
                throw new LabException("the JVM ended with 134");
            }
            return sample((arm.equals(ARM) ? 1.1 : 1) * Math.exp(NOISE * random.nextGaussian()));
        };
        ArmResult changed = new Tuning(40, 0.03, Metric.EVENTS)
                .run(Arm.CONTROL, List.of(ARM), 1, measurement, unused -> {})
                .get(1);
        assertThat(changed.answer()).isEqualTo(Answer.HELPS);
        assertThat(changed.failures()).containsExactly("round 2: the JVM ended with 134");
    }

    @Test
    void shouldEndAnArmThatFailsAgainAndAgainAndGoOnWithTheOthers() throws InterruptedException {
        Arm other = Arm.parse("other=-Dother=true");
        Random random = new Random(6);
        Measurement measurement = (arm, seed) -> {
            if (arm.equals(ARM)) {
                throw new LabException("the JVM ended with 1");
            }
            return sample((arm.equals(other) ? 2 : 1) * Math.exp(NOISE * random.nextGaussian()));
        };
        List<ArmResult> results =
                new Tuning(40, 0.03, Metric.EVENTS).run(Arm.CONTROL, List.of(ARM, other), 1, measurement, unused -> {});
        assertThat(results).extracting(ArmResult::answer).endsWith(Answer.FAILED, Answer.HELPS);
        assertThat(results.get(1).failures()).hasSize(ArmRuns.MOST_FAILURES);
        assertThat(results.get(1).samples()).isEmpty();
    }

    @Test
    void shouldEndWhenTheControlFailsAgainAndAgain() throws InterruptedException {
        Measurement measurement = (arm, seed) -> {
            if (arm.equals(Arm.CONTROL)) {
                throw new LabException("the JVM ended with 1");
            }
            return sample(1);
        };
        List<ArmResult> results =
                new Tuning(40, 0.03, Metric.EVENTS).run(Arm.CONTROL, List.of(ARM), 1, measurement, unused -> {});
        assertThat(results.get(1).answer()).isEqualTo(Answer.FAILED);
        assertThat(results.get(0).failures()).hasSize(ArmRuns.MOST_FAILURES);
    }

    /** All runs of the reference hit, and one in four of the other: all rounds run, whatever is known before. */
    @Test
    void shouldFindThatRunsHitLessOften() throws InterruptedException {
        List<ArmResult> results = shares(20, (arm, seed) -> arm.equals(Arm.CONTROL) || seed % 4 == 0);
        assertThat(results).extracting(ArmResult::answer).containsExactly(Answer.REFERENCE, Answer.LESS_OFTEN);
        assertThat(results.get(1).share()).isEqualTo(WilsonInterval.of(5, 20));
        assertThat(results.get(1).effect().mean()).isCloseTo(-0.75, within(1e-9));
    }

    @Test
    void shouldFindThatRunsHitMoreOften() throws InterruptedException {
        assertThat(shares(20, (arm, seed) -> arm.equals(ARM)).get(1).answer()).isEqualTo(Answer.MORE_OFTEN);
    }

    @Test
    void shouldFindNoDifferenceOfSharesInEnoughRunsOnly() throws InterruptedException {
        assertThat(shares(20, (arm, seed) -> true).get(1).answer()).isEqualTo(Answer.NO_DIFFERENCE);
        assertThat(shares(3, (arm, seed) -> true).get(1).answer()).isEqualTo(Answer.NOT_ENOUGH_RUNS);
    }

    /** Of the odd seeds nothing is known, so that they are no trials. */
    @Test
    void shouldNotCountRunsThatDidNotComeToTheirEnd() throws InterruptedException {
        List<ArmResult> results = new Tuning(10, 0.2, Metric.HITS)
                .run(
                        Arm.CONTROL,
                        List.of(ARM),
                        1,
                        (arm, seed) -> {
                            if (seed % 2 == 1) {
                                throw new LabException("no end");
                            }
                            return sample(1);
                        },
                        unused -> {});
        assertThat(results).extracting(ArmResult::share).containsOnly(WilsonInterval.of(5, 5));
    }

    /** The arm that is compared with may have settings of its own, and each arm begins a round in its turn. */
    @Test
    void shouldCompareWithAnyArm() throws InterruptedException {
        List<String> order = new ArrayList<>();
        List<ArmResult> results = new Tuning(3, 0.2, Metric.HITS)
                .run(
                        ARM,
                        List.of(Arm.parse("b=observe:full"), Arm.parse("c=observe:none")),
                        7,
                        (arm, seed) -> {
                            order.add(arm.name() + seed);
                            return sample(0);
                        },
                        unused -> {});
        assertThat(order).containsExactly("changed7", "b7", "c7", "b8", "c8", "changed8", "c9", "changed9", "b9");
        assertThat(results)
                .extracting(ArmResult::answer)
                .containsExactly(Answer.REFERENCE, Answer.NOT_ENOUGH_RUNS, Answer.NOT_ENOUGH_RUNS);
    }

    /** A share is of runs that hit or do not: another value is a mistake of the measurement. */
    @Test
    void shouldTakeNoOtherValueForAHit() throws InterruptedException {
        ArmResult changed = new Tuning(40, 0.2, Metric.HITS)
                .run(Arm.CONTROL, List.of(ARM), 1, (arm, seed) -> sample(2), unused -> {})
                .get(1);
        assertThat(changed.answer()).isEqualTo(Answer.FAILED);
        assertThat(changed.failures()).hasSize(ArmRuns.MOST_FAILURES);
    }

    private static List<ArmResult> shares(int rounds, BiPredicate<Arm, Long> isHit) throws InterruptedException {
        return new Tuning(rounds, 0.2, Metric.HITS)
                .run(Arm.CONTROL, List.of(ARM), 1, (arm, seed) -> sample(isHit.test(arm, seed) ? 1 : 0), unused -> {});
    }

    /** The logarithm of 0 would make the whole interval a NaN. */
    @Test
    void shouldLeaveOutAValueOfWhichNoRatioCanBeTaken() throws InterruptedException {
        Random random = new Random(6);
        Measurement measurement = (arm, seed) ->
                sample(seed == 1 ? 0 : (arm.equals(ARM) ? 2 : 1) * Math.exp(NOISE * random.nextGaussian()));
        ArmResult changed = new Tuning(40, 0.03, Metric.EVENTS)
                .run(Arm.CONTROL, List.of(ARM), 1, measurement, unused -> {})
                .get(1);
        assertThat(changed.answer()).isEqualTo(Answer.HELPS);
        assertThat(changed.effect().mean()).isFinite();
        assertThat(changed.failures()).singleElement().asString().contains("the value is 0.0");
    }

    private static List<ArmResult> answers(double factor) throws InterruptedException {
        List<ArmResult> answers = new ArrayList<>();
        for (int trial = 0; trial < TRIALS; trial++) {
            answers.add(run(new Tuning(Tuning.DEFAULT_ROUNDS, 0.03, Metric.EVENTS), factor, trial)
                    .get(1));
        }
        return answers;
    }

    private static List<ArmResult> run(Tuning tuning, double factor, int trial) throws InterruptedException {
        Random random = new Random(trial);
        Measurement measurement =
                (arm, seed) -> sample(1e6 * (arm.equals(ARM) ? factor : 1) * Math.exp(NOISE * random.nextGaussian()));
        return tuning.run(Arm.CONTROL, List.of(ARM), 1, measurement, unused -> {});
    }

    private static Sample lost(boolean isLost, double value) {
        if (isLost) {
            throw new LabException("the JVM ended with 134");
        }
        return sample(value);
    }

    private static Sample sample(double value) {
        return new Sample(
                value, new Sample.Cost(0, 0, 0, 0), List.of(), new Sample.Effect(List.of(), List.of()), List.of());
    }
}
