package org.naklab.lab.workshop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** The solution of a case beside the trainee's way to it. */
final class Debrief {
    private Debrief() {}

    /**
     * Returns it without the texts of the unit, each line unwrapped.
     *
     * @param cases finds the directory of a case of the corpus
     */
    static List<String> lines(Unit unit, Session session, AnswerKey key, Function<String, Path> cases) {
        Answer answer = session.answer();
        Grade grade = session.grade();
        List<String> lines = new ArrayList<>();
        lines.add("The case      " + key.caseName() + (key.about().length() > 1 ? ": " + key.about() : ""));
        lines.add("You           "
                + (answer == null || grade == null
                        ? "gave no answer"
                        : answer.cause() + ", " + answer.sure() + "% sure, " + Workshop.points(grade.score()) + " of "
                                + Grade.FULL + " points"));
        lines.add("You looked    " + named(session.looked()));
        lines.add("You asked     " + named(session.asked()) + " (" + session.spent() + " of "
                + unit.settings().budget() + " points)");
        lines.add("The cause     " + key.causes().get(0));
        if (answer != null && answer.remedy() != null && !key.isClean()) {
            lines.add(
                    "Your remedy   " + answer.remedy() + ": " + replayed(unit, key, Remedy.of(answer.remedy()), cases));
        }
        lines.add("");
        if (!key.words().injected().isEmpty()) {
            lines.add("What was done, as the injector of faults noted it:");
            key.words().injected().forEach(line -> lines.add("  " + line));
            lines.add("");
        }
        lines.add("The lab's diagnosis:");
        key.words().diagnosis().forEach(line -> lines.add("  " + line));
        lines.add("");
        lines.add("The suspects, by their own figures:");
        new TreeMap<>(key.suspects().measurements())
                .forEach((name, figure) -> lines.add(
                        "  " + name + (key.suspects().ruledOut().contains(name) ? ", ruled out" : "") + ": " + figure));
        if (!unit.settings().remedies().isEmpty()) {
            lines.add("");
            lines.add("Remedies that were tried, with the same load:");
            new TreeMap<>(unit.settings().remedies())
                    .forEach((remedy, result) -> lines.add("  " + remedy + ": " + Outcome.of(cases.apply(result))));
        }
        return lines;
    }

    /** Says what comes of a remedy, from the recorded run with it, or else from that without the cause which it takes away. */
    private static String replayed(Unit unit, AnswerKey key, Remedy remedy, Function<String, Path> cases) {
        String with = unit.settings().remedies().get(remedy.label());
        if (with != null) {
            return "replayed with the same load, " + Outcome.of(cases.apply(with));
        }
        if (key.causes().stream().noneMatch(remedy::mends)) {
            return "it does not touch the cause, and the run stays as you have seen it";
        }
        return unit.settings().cases().stream()
                .filter(choice -> choice.name().equals(key.caseName())
                        && !choice.remedied().isEmpty())
                .findFirst()
                .map(choice -> "it mends the cause; replayed without the cause, at the same load or a higher one, "
                        + Outcome.of(cases.apply(choice.remedied())))
                .orElse("it mends the cause; no run without the cause was recorded");
    }

    private static String named(List<String> names) {
        return names.isEmpty() ? "nothing" : String.join(", ", names);
    }
}
