package org.naklab.lab.workshop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/** Checks that a unit is whole, and that what is read before the answer does not name the cause. */
public final class UnitCheck {
    private static final int LEAST_SUSPECTS = 8;
    private static final int LEAST_CASES = 2;
    private static final int LEAST_CAUSES = 2;
    /** Answers that every text may name. */
    private static final Set<String> WITHOUT_CAUSE = Set.of(Cause.CLEAN.label(), Cause.UNEXPLAINED.label());

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
        if (causes(unit).count() < LEAST_CAUSES) {
            problems.add("all its cases have the same cause, so that one trainee knows that of the next");
        }
        problems.addAll(experiments(unit));
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

    private static Stream<String> causes(Unit unit) {
        return unit.settings().cases().stream()
                .map(choice -> choice.solution().cause())
                .distinct();
    }

    /** An experiment is worth its points only if one suspect goes with the change and another one stays. */
    private List<String> experiments(Unit unit) {
        List<String> problems = new ArrayList<>();
        Set<String> names = unit.settings().experiments().stream()
                .map(Unit.Experiment::name)
                .collect(Collectors.toSet());
        if (names.isEmpty() == unit.settings().noExperiments().isBlank()) {
            problems.add("it has either experiments, or a reason in 'noExperiments' why it has none");
        }
        Set<Boolean> changes = new HashSet<>();
        for (Unit.CaseChoice choice : unit.settings().cases()) {
            choice.reruns().keySet().stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> problems.add(
                            choice.name() + " has a rerun for '" + name + "', which is no experiment of the unit"));
            for (String name : names) {
                String result = choice.rerun(name);
                if (requireCase(result, problems) && requireCase(choice.name(), problems)) {
                    changes.add(!cause(result).equals(cause(choice.name())));
                }
            }
        }
        if (problems.isEmpty() && !names.isEmpty() && changes.size() == 1) {
            problems.add("no experiment separates suspects: the cause goes in all reruns, or in none");
        }
        return problems;
    }

    private String cause(String caseName) {
        return Json.read(corpus.resolve(caseName).resolve(Expected.NAME), Expected.class)
                .cause();
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
        String remedied = choice.remedied();
        if (!remedied.isEmpty()
                && requireCase(remedied, problems)
                && cause(remedied).equals(expected.cause())) {
            problems.add(choice.name() + " is remedied by " + remedied + ", which has the same cause");
        }
        try {
            Remedy.of(choice.solution().remedy());
        } catch (UsageException e) {
            problems.add(choice.name() + ": " + e.getMessage());
        }
        if (!WITHOUT_CAUSE.contains(expected.cause())) {
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
