package org.naklab.lab.workshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;

@Timeout(60)
final class GraderTest {
    private static final long MS = 1_000_000;

    private final Grader grader = new Grader(key(Cause.SLOW_CALLBACK, Set.of("e1", "e2", "e3")));
    private final Grader healthy = new Grader(key(Cause.CLEAN, Set.of("dropped", "missing")));

    private static AnswerKey key(Cause cause, Set<String> facts) {
        boolean isClean = cause == Cause.CLEAN;
        return new AnswerKey(
                "a-case",
                "what was done",
                List.of(cause),
                new AnswerKey.Signs(
                        isClean ? List.of() : List.of(new Interval(400 * MS, 1_500 * MS)),
                        isClean ? List.of() : List.of(new Interval(500 * MS, 700 * MS)),
                        facts),
                new AnswerKey.Suspects(
                        Map.of("run-queue", "0.3 of 150.0 ms runnable without a CPU", "locks", "0.0 of 150.0 ms"),
                        Set.of("run-queue", "locks")),
                new AnswerKey.Words(List.of(), List.of()));
    }

    private static Answer answer(String cause, double at, int sure) {
        return new Answer(
                cause, at, List.of("e1", "e2"), Map.of("run-queue", "0.3", "locks", "0.0"), "move-work-off", sure);
    }

    private static double score(Grader grader, Answer answer) {
        return grader.grade(answer, Set.of("run-queue", "locks"), 0).score();
    }

    @Test
    void shouldGiveAllPointsForAWholeAnswer() {
        assertThat(score(grader, answer("slow-callback", 0.6, 100))).isEqualTo(Grade.FULL);
    }

    @Test
    void shouldGiveLessForATimeThatIsOnlyInTheChain() {
        assertThat(score(grader, answer("slow-callback", 1.2, 100))).isEqualTo(Grade.FULL - Grader.LOCATED);
        assertThat(score(grader, answer("slow-callback", 3, 100))).isEqualTo(Grade.FULL - Grader.LOCATED - Grader.SEEN);
    }

    @Test
    void shouldPreferAnHonestAnswerToAWrongOne() {
        double honest = score(grader, answer("cannot-tell", 0.6, 50));
        assertThat(honest).isGreaterThan(score(grader, answer("lock-wait", 0.6, 50)));
        assertThat(honest).isGreaterThan(score(grader, answer("lock-wait", 0.6, 100)));
        assertThat(honest).isLessThan(score(grader, answer("slow-callback", 0.6, 50)));
    }

    /** Who is sure and wrong loses more than who is not sure and wrong. */
    @Test
    void shouldScoreCertainty() {
        assertThat(score(grader, answer("lock-wait", 0.6, 10)))
                .isGreaterThan(score(grader, answer("lock-wait", 0.6, 90)));
        assertThat(score(grader, answer("slow-callback", 0.6, 90)))
                .isGreaterThan(score(grader, answer("slow-callback", 0.6, 60)));
    }

    @Test
    void shouldTakePointsForFactsThatTellNothing() {
        Answer padded = new Answer("slow-callback", 0.6, List.of("e1", "e2", "e7", "e8"), Map.of(), null, 100);
        Answer exact = new Answer("slow-callback", 0.6, List.of("e1", "e2"), Map.of(), null, 100);
        assertThat(score(grader, padded)).isLessThan(score(grader, exact));
    }

    /** A figure that was not asked for, or another number, rules nothing out. */
    @Test
    void shouldCountSuspectsThatAFigureRulesOut() {
        Answer quoted = new Answer("slow-callback", 0.6, List.of(), Map.of("run-queue", "0.3"), null, 100);
        Answer invented = new Answer("slow-callback", 0.6, List.of(), Map.of("run-queue", "7.5"), null, 100);
        double asked = grader.grade(quoted, Set.of("run-queue"), 0).score();
        assertThat(asked).isGreaterThan(grader.grade(quoted, Set.of(), 0).score());
        assertThat(asked)
                .isGreaterThan(grader.grade(invented, Set.of("run-queue"), 0).score());
    }

    /** The figure says 0.0 of 150.0 ms: 0 and 0.00 are that number, 1 and 50 are not. */
    @ParameterizedTest
    @CsvSource({
        "0, true",
        "0.0, true",
        "0.00, true",
        "150, true",
        "'0.0 ms', true",
        "1, false",
        "50, false",
        "-0, false"
    })
    void shouldTakeANumberAsItIsWritten(String quoted, boolean isRight) {
        Answer answer = new Answer("slow-callback", 0.6, List.of(), Map.of("locks", quoted), null, 100);
        assertThat(remark(grader.grade(answer, Set.of("locks"), 0), Grader.RULING_OUT))
                .isEqualTo(
                        isRight
                                ? "1 of 1 by a figure that was asked for"
                                : "0 of 1 by a figure that was asked for; not locks");
    }

    /** Only the first answer counts: who erred learns where. */
    @Test
    void shouldTellWhichFactsDoNotTellForTheCause() {
        Answer answer = new Answer("slow-callback", 0.6, List.of("e7", "e1", "e9"), Map.of(), null, 100);
        assertThat(remark(grader.grade(answer, Set.of(), 0), "two facts"))
                .isEqualTo("1 of 3 cited tell for the cause; not e7, e9");
    }

    private static String remark(Grade grade, String step) {
        return grade.steps().stream()
                .filter(each -> each.name().equals(step))
                .map(Grade.Step::remark)
                .findFirst()
                .orElseThrow();
    }

    /** Where the evidence does not decide, who says so is right, and who names a cause is not. */
    @Test
    void shouldGiveAllPointsToWhoCannotTellWhereNobodyCan() {
        Grader undecided = new Grader(key(Cause.UNEXPLAINED, Set.of("e1", "e2")));
        Answer right = new Answer(
                "cannot-tell",
                0.6,
                List.of("e1", "e2"),
                Map.of("run-queue", "0.3", "locks", "0.0"),
                "look-closer",
                100);
        assertThat(score(undecided, right)).isEqualTo(Grade.FULL);
        assertThat(score(undecided, answer("slow-callback", 0.6, 100)))
                .isLessThan(score(undecided, right) - Grader.CAUSE);
    }

    @Test
    void shouldTakeThePriceOfHints() {
        Answer answer = answer("slow-callback", 0.6, 100);
        assertThat(grader.grade(answer, Set.of("run-queue", "locks"), 2).score())
                .isEqualTo(Grade.FULL - 2 * Grader.HINT);
    }

    /** Where nothing happened the right answer names no time. */
    @Test
    void shouldGradeACaseWithoutAFault() {
        Answer right = new Answer(
                "clean",
                null,
                List.of("dropped", "missing"),
                Map.of("run-queue", "0.3", "locks", "0.0"),
                "nothing",
                100);
        Answer named = new Answer("clean", 0.6, List.of("dropped", "missing"), Map.of(), "nothing", 100);
        assertThat(score(healthy, right)).isEqualTo(Grade.FULL);
        assertThat(score(healthy, named)).isLessThan(Grade.FULL - Grader.SEEN);
        assertThat(score(healthy, new Answer("lock-wait", null, List.of(), Map.of(), null, 50)))
                .isLessThan(score(healthy, new Answer("cannot-tell", null, List.of(), Map.of(), null, 50)));
    }

    @Test
    void shouldGiveBothPartsForTheOnlyFactThatThereIs() {
        Grader single = new Grader(key(Cause.SLOW_CONSUMER, Set.of("ring-full")));
        Answer answer = new Answer(
                "slow-consumer",
                0.6,
                List.of("ring-full"),
                Map.of("run-queue", "0.3", "locks", "0.0"),
                "faster-consumer",
                100);
        assertThat(score(single, answer)).isEqualTo(Grade.FULL);
    }

    @Test
    void shouldRefuseWhatIsNoAnswer() {
        assertThatThrownBy(() -> answer("gremlins", 0.6, 50))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is no cause");
        assertThatThrownBy(() -> answer("slow-callback", 0.6, 101)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new Answer("slow-callback", 0.6, List.of(), Map.of(), "pray", 50))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is no remedy");
    }
}
