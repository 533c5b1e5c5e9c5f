package org.naklab.lab.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulates measurements: what the answers are worth. */
@Timeout(30)
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
        assertThat(run(new Tuning(40, 0.03, false), 1.1, 3).get(1).answer()).isEqualTo(Answer.HURTS);
    }

    @Test
    void shouldStopAsSoonAsTheAnswerIsKnown() throws InterruptedException {
        ArmResult large = run(new Tuning(200, 0.03, true), 2.0, 5).get(1);
        ArmResult small = run(new Tuning(200, 0.001, true), 1.02, 5).get(1);
        assertThat(large.answer()).isEqualTo(Answer.HELPS);
        assertThat(large.samples()).hasSizeLessThan(10);
        assertThat(small.samples()).hasSizeGreaterThan(large.samples().size());
    }

    @Test
    void shouldSayWhenTheRunsAreTooFew() throws InterruptedException {
        assertThat(run(new Tuning(3, 0.03, true), 1.0, 9).get(1).answer()).isEqualTo(Answer.NOT_ENOUGH_RUNS);
    }

    @Test
    void shouldGiveNoAnswerAboutWhatDidNotTakeEffect() throws InterruptedException {
        Measurement measurement = (arm, seed) -> new Sample(
                seed, 0, 0, 0, 0, List.of(), List.of(), arm.equals(ARM) ? List.of("changed is false") : List.of());
        List<ArmResult> results = new Tuning(40, 0.03, true).run(List.of(ARM), 1, measurement, unused -> {});
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
        List<ArmResult> unused = new Tuning(2, 1e-9, true).run(List.of(ARM, other), 42, measurement, results -> {});
        assertThat(order)
                .containsExactly("default 42", "changed 42", "other 42", "changed 43", "other 43", "default 43");
    }

    private static List<ArmResult> answers(double factor) throws InterruptedException {
        List<ArmResult> answers = new ArrayList<>();
        for (int trial = 0; trial < TRIALS; trial++) {
            answers.add(run(new Tuning(40, 0.03, true), factor, trial).get(1));
        }
        return answers;
    }

    private static List<ArmResult> run(Tuning tuning, double factor, int trial) throws InterruptedException {
        Random random = new Random(trial);
        Measurement measurement =
                (arm, seed) -> sample(1e6 * (arm.equals(ARM) ? factor : 1) * Math.exp(NOISE * random.nextGaussian()));
        return tuning.run(List.of(ARM), 1, measurement, unused -> {});
    }

    private static Sample sample(double value) {
        return new Sample(value, 0, 0, 0, 0, List.of(), List.of(), List.of());
    }
}
