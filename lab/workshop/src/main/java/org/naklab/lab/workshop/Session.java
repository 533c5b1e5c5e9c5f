package org.naklab.lab.workshop;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a trainee did in a unit so far.
 *
 * @param attempt 0 for the first; each has another draw
 * @param startedMs since 1970
 * @param answeredMs since 1970; 0: not yet
 * @param seal hash of what is sealed
 * @param looked labels of the views that were opened
 * @param asked labels of the measurements and names of the experiments that were bought
 * @param spent points
 * @param hints texts of those that were taken
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Session(
        String unit,
        String trainee,
        int attempt,
        long startedMs,
        long answeredMs,
        String seal,
        List<String> looked,
        List<String> asked,
        int spent,
        List<String> hints,
        @Nullable Answer answer,
        @Nullable Grade grade) {
    static final String NAME = "session.json";

    public Session {
        looked = List.copyOf(looked);
        asked = List.copyOf(asked);
        hints = List.copyOf(hints);
    }

    static Session begun(String unit, String trainee, int attempt, String seal) {
        return new Session(
                unit,
                trainee,
                attempt,
                System.currentTimeMillis(),
                0,
                seal,
                List.of(),
                List.of(),
                0,
                List.of(),
                null,
                null);
    }

    Session looking(String view, int cost) {
        return with(answeredMs, append(looked, view), asked, spent + cost, hints, answer, grade);
    }

    Session asking(String what, int cost) {
        return with(answeredMs, looked, append(asked, what), spent + cost, hints, answer, grade);
    }

    Session hinted(String hint) {
        return with(answeredMs, looked, asked, spent, append(hints, hint), answer, grade);
    }

    Session answered(Answer given, Grade graded) {
        return with(System.currentTimeMillis(), looked, asked, spent, hints, given, graded);
    }

    private Session with(
            long newAnsweredMs,
            List<String> newLooked,
            List<String> newAsked,
            int newSpent,
            List<String> newHints,
            @Nullable Answer newAnswer,
            @Nullable Grade newGrade) {
        return new Session(
                unit,
                trainee,
                attempt,
                startedMs,
                newAnsweredMs,
                seal,
                newLooked,
                newAsked,
                newSpent,
                newHints,
                newAnswer,
                newGrade);
    }

    /** Returns what was asked for, as a set. */
    Set<String> askedFor() {
        return Set.copyOf(asked);
    }

    private static List<String> append(List<String> list, String more) {
        List<String> longer = new ArrayList<>(list);
        longer.add(more);
        return longer;
    }
}
