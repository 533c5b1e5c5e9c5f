package org.naklab.lab.workshop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/** Checks that a unit is whole, and that what is read before the answer does not name the cause. */
public final class UnitCheck {
    private static final int LEAST_SUSPECTS = 8;
    private static final int LEAST_CASES = 2;

    private final Path corpus;

    /** Creates a check against a corpus of cases. */
    public UnitCheck(Path corpus) {
        this.corpus = corpus;
    }

    /** Returns what is wrong with a unit, each one line; empty if nothing is. */
    public List<String> problems(Unit unit) {
        List<String> problems = new ArrayList<>();
        Unit.SECTIONS.stream()
                .filter(section -> unit.section(section).isBlank())
                .forEach(section -> problems.add(Unit.TEXTS + " has no section '" + section + "'"));
        if (unit.settings().cases().size() < LEAST_CASES) {
            problems.add("it has fewer than " + LEAST_CASES + " cases to draw from");
        }
        if (unit.settings().suspects().size() < LEAST_SUSPECTS) {
            problems.add("it has fewer than " + LEAST_SUSPECTS + " suspects, so that guessing would pay");
        }
        unit.settings().suspects().forEach(suspect -> label(suspect, problems));
        for (Unit.CaseChoice choice : unit.settings().cases()) {
            check(unit, choice, problems);
        }
        unit.settings().experiments().forEach(experiment -> requireCase(experiment.result(), problems));
        unit.settings().remedies().values().forEach(result -> requireCase(result, problems));
        unit.settings().hints().stream()
                .map(Unit.Hint::unseen)
                .filter(unseen -> !unseen.isEmpty()
                        && View.of(unseen).isEmpty()
                        && Measurement.of(unseen).isEmpty()
                        && unit.settings().experiments().stream()
                                .noneMatch(experiment -> experiment.name().equals(unseen)))
                .forEach(unseen ->
                        problems.add("a hint is for '" + unseen + "', which is nothing that can be looked at"));
        return problems;
    }

    private void check(Unit unit, Unit.CaseChoice choice, List<String> problems) {
        if (!requireCase(choice.name(), problems)) {
            return;
        }
        Expected expected = Json.read(corpus.resolve(choice.name()).resolve(Expected.NAME), Expected.class);
        if (!unit.settings().suspects().contains(expected.cause())) {
            problems.add("the cause of " + choice.name() + " is not among the suspects");
        }
        label(choice.solution().cause(), problems);
        try {
            Remedy.of(choice.solution().remedy());
        } catch (UsageException e) {
            problems.add(choice.name() + ": " + e.getMessage());
        }
        if (!expected.cause().equals(Cause.CLEAN.label())) {
            for (String named : List.of(expected.cause(), expected.cause().replace('-', ' '))) {
                Unit.OPEN_SECTIONS.stream()
                        .filter(section -> names(unit.section(section), named))
                        .forEach(section -> problems.add("the section '" + section + "' names '" + named + "'"));
                unit.settings().hints().stream()
                        .filter(hint -> names(hint.text(), named))
                        .forEach(hint -> problems.add("a hint names '" + named + "'"));
                if (names(unit.name().substring(unit.name().indexOf('-') + 1), named)
                        || names(unit.settings().title(), named)) {
                    problems.add("the name or the title says '" + named + "'");
                }
            }
        }
    }

    private static boolean names(String text, String cause) {
        return text.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").contains(cause);
    }

    private static void label(String cause, List<String> problems) {
        try {
            Answer.causeOf(cause);
        } catch (UsageException e) {
            problems.add("'" + cause + "' is no cause");
        }
    }

    private boolean requireCase(String name, List<String> problems) {
        boolean isThere = Files.isRegularFile(corpus.resolve(name).resolve(Expected.NAME));
        if (!isThere) {
            problems.add("there is no case " + name + " in the corpus");
        }
        return isThere;
    }
}
