package org.naklab.lab.workshop;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;

/**
 * Grades answers in steps: seen, located, cause, two facts, two suspects ruled out by their own figures, remedy, certainty. To say that one cannot tell earns
 * more than a wrong cause.
 */
public final class Grader {
    /** Name of the step that needs figures that were asked for. */
    public static final String RULING_OUT = "two suspects ruled out";

    static final int SEEN = 10;
    static final int LOCATED = 10;
    static final int CAUSE = 30;
    static final int CANNOT_TELL = 10;
    static final int FACT = 10;
    static final int RULED_OUT = 5;
    static final int REMEDY = 10;
    static final int CERTAINTY = 10;
    static final double HINT = 3;
    private static final int WRONG_FACT = 3;
    private static final Pattern NUMBER =
            Pattern.compile("(?<![\\w.,-])\\d{1,15}(?:,\\d{3}){0,5}(?:\\.\\d{1,9})?(?![\\w]|[.,]\\d)");

    private final AnswerKey key;

    /** Creates a grader for a case. */
    public Grader(AnswerKey key) {
        this.key = key;
    }

    /**
     * Grades an answer.
     *
     * @param asked labels of the measurements that the trainee asked for
     * @param hints how many the trainee took
     */
    public Grade grade(Answer answer, Set<String> asked, int hints) {
        Cause cause = Answer.causeOf(answer.cause());
        boolean isRight = key.causes().contains(cause);
        return new Grade(
                List.of(
                        time("seen", answer, key.signs().chain(), SEEN),
                        time("located", answer, key.signs().links(), LOCATED),
                        cause(cause, isRight),
                        facts(answer),
                        ruledOut(answer, asked),
                        remedy(answer, isRight),
                        certainty(answer, cause, isRight)),
                HINT * hints);
    }

    private Grade.Step time(String step, Answer answer, List<Interval> spans, int full) {
        Double at = answer.at();
        if (key.isClean()) {
            boolean isRight = at == null && answer.cause().equals(Cause.CLEAN.label());
            return new Grade.Step(
                    step,
                    isRight ? full : 0,
                    full,
                    isRight ? "nothing of harm was there to be seen" : "nothing of harm was at that time");
        }
        if (at == null) {
            return new Grade.Step(step, 0, full, "no time was named");
        }
        boolean isIn = spans.stream().anyMatch(span -> span.contains(Math.round(at * Units.NS_PER_S)));
        return new Grade.Step(step, isIn ? full : 0, full, isIn ? "the time is right" : "the time is not right");
    }

    private static Grade.Step cause(Cause cause, boolean isRight) {
        if (cause == Cause.UNEXPLAINED && !isRight) {
            return new Grade.Step("cause", CANNOT_TELL, CAUSE, "an honest answer, worth more than a wrong one");
        }
        return new Grade.Step("cause", isRight ? CAUSE : 0, CAUSE, isRight ? "right" : "wrong");
    }

    /** If the case has one fact only, that one is worth both. */
    private Grade.Step facts(Answer answer) {
        Set<String> cited = Set.copyOf(answer.because());
        long right = cited.stream().filter(key.signs().facts()::contains).count();
        long wrong = cited.size() - right;
        int there = Math.min(2, key.signs().facts().size());
        int earned = right >= there ? 2 * FACT : (int) right * FACT;
        double points = Math.max(0, earned - wrong * WRONG_FACT);
        return new Grade.Step(
                "two facts",
                points,
                2 * FACT,
                right + " of " + cited.size() + " cited tell for the cause"
                        + except(
                                answer.because().stream().distinct(),
                                key.signs().facts()));
    }

    private Grade.Step ruledOut(Answer answer, Set<String> asked) {
        Set<String> right = answer.not().entrySet().stream()
                .filter(entry -> asked.contains(entry.getKey())
                        && key.suspects().ruledOut().contains(entry.getKey())
                        && quotes(key.suspects().measurements().getOrDefault(entry.getKey(), ""), entry.getValue()))
                .map(entry -> entry.getKey())
                .collect(Collectors.toSet());
        return new Grade.Step(
                RULING_OUT,
                Math.min(2, right.size()) * RULED_OUT,
                2 * RULED_OUT,
                right.size() + " of " + answer.not().size() + " by a figure that was asked for"
                        + except(answer.not().keySet().stream().sorted(), right));
    }

    /** Only the first answer counts: who erred learns where. */
    private static String except(Stream<String> cited, Set<String> right) {
        String wrong = cited.filter(each -> !right.contains(each)).collect(Collectors.joining(", "));
        return wrong.isEmpty() ? "" : "; not " + wrong;
    }

    /** Returns whether a figure has a number or a word as it was quoted; 0 is the same number as 0.0. */
    static boolean quotes(String figure, String quoted) {
        String cleaned = quoted.replaceAll("(?<=\\d)\\s*(?:ms|%)$", "");
        return !cleaned.isBlank()
                && (Pattern.compile("(?<![\\w.,])" + Pattern.quote(cleaned) + "(?![\\w]|[.,]\\d)")
                                .matcher(figure)
                                .find()
                        || number(cleaned)
                                .map(wanted -> NUMBER.matcher(figure)
                                        .results()
                                        .flatMap(found -> number(found.group()).stream())
                                        .anyMatch(found -> found.compareTo(wanted) == 0))
                                .orElse(false));
    }

    private static Optional<BigDecimal> number(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(new BigDecimal(text.replace(",", ""))) : Optional.empty();
    }

    private Grade.Step remedy(Answer answer, boolean isRight) {
        String remedy = answer.remedy();
        if (remedy == null) {
            return new Grade.Step("remedy", 0, REMEDY, "none was named");
        }
        boolean mends = isRight && key.causes().stream().anyMatch(Remedy.of(remedy)::mends);
        return new Grade.Step(
                "remedy", mends ? REMEDY : 0, REMEDY, mends ? "it mends the cause" : "it mends nothing here");
    }

    /** Scores the certainty by Brier's rule, so that what one believes earns the most. */
    private static Grade.Step certainty(Answer answer, Cause cause, boolean isRight) {
        if (cause == Cause.UNEXPLAINED && !isRight) {
            return new Grade.Step("certainty", CERTAINTY / 2.0, CERTAINTY, "not asked of who cannot tell");
        }
        double error = answer.sure() / 100.0 - (isRight ? 1 : 0);
        return new Grade.Step("certainty", CERTAINTY * (1 - error * error), CERTAINTY, answer.sure() + "% sure");
    }
}
