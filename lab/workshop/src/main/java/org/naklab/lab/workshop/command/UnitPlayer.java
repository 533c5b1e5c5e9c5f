package org.naklab.lab.workshop.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.InputException;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.SealScan;
import picocli.CommandLine;

/** Plays units through the commands, as a trainee does: with the reference solution of each case, with wrong answers, and as a guesser. */
final class UnitPlayer {
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*\\d|\\d");
    private static final int WRONG_ANSWERS = 3;

    private final WorkshopOptions options;
    private final Path directory;
    private final Path units;
    private final SealScan scan;

    /**
     * Tells what came of a unit.
     *
     * @param score of the reference solution, the least of all cases
     * @param full points that can be earned
     * @param wrong scores of wrong answers
     * @param guesser mean score of who guesses a cause and says nothing else, the largest of all cases
     * @param cannotTell score of who says that one cannot tell, and nothing else
     * @param leaks what the files of the case give away
     */
    record Result(
            String unit,
            double score,
            int full,
            List<Double> wrong,
            double guesser,
            double cannotTell,
            List<String> leaks) {
        boolean isGood() {
            return problems().isEmpty();
        }

        /** Returns what is not right with the unit, each one line. */
        List<String> problems() {
            List<String> problems = new ArrayList<>();
            if (score != full) {
                problems.add("a reference solution earns " + Workshop.points(score) + " of " + full + " points");
            }
            if (guesser >= cannotTell) {
                problems.add("guessing earns " + guesser + " points, and 'cannot-tell' " + cannotTell);
            }
            wrong.stream()
                    .filter(each -> each >= score)
                    .forEach(each -> problems.add("a wrong answer earns " + Workshop.points(each) + " points"));
            leaks.forEach(leak -> problems.add("gives the cause away: " + leak));
            return problems;
        }
    }

    /**
     * Creates a player of a unit, with a workshop of its own below a directory: several can play at once. The workshop has that unit only, because each command
     * reads all that there are.
     */
    static UnitPlayer in(Path directory, Unit unit, WorkshopOptions options, SealScan scan) {
        Path own = directory.resolve(unit.name());
        Path units = own.resolve("units");
        try {
            Path copy = Files.createDirectories(units.resolve(unit.name()));
            for (String file : List.of(Unit.SETTINGS, Unit.TEXTS)) {
                Files.copy(options.units().resolve(unit.name()).resolve(file), copy.resolve(file));
            }
        } catch (IOException e) {
            throw new InputException("the unit " + unit.name() + " cannot be copied: " + e.getMessage(), e);
        }
        return new UnitPlayer(options, own.resolve("workshop"), units, scan);
    }

    private UnitPlayer(WorkshopOptions options, Path directory, Path units, SealScan scan) {
        this.options = options;
        this.directory = directory;
        this.units = units;
        this.scan = scan;
    }

    private Workshop open(String trainee) {
        return Workshop.open(directory, options.corpus(), units, trainee);
    }

    Result play(Unit unit) {
        double least = Double.MAX_VALUE;
        double guesser = 0;
        double cannotTell = Double.MAX_VALUE;
        List<String> leaks = new ArrayList<>();
        for (int i = 0; i < unit.settings().cases().size(); i++) {
            run("reference", "start", unit.name(), "--again");
            Workshop workshop = open("reference");
            leaks.addAll(scan.findings(workshop.caseDirectory(unit)));
            guesser = Math.max(guesser, guess(workshop, unit));
            cannotTell = Math.min(
                    cannotTell, workshop.tryAnswer(answer("cannot-tell", 50)).score());
            least = Math.min(least, solve(workshop, unit));
        }
        List<Double> wrong = new ArrayList<>();
        for (int i = 0; i < WRONG_ANSWERS; i++) {
            wrong.add(wrong(unit, "wrong-" + i, i));
        }
        return new Result(unit.name(), least, Grade.FULL, wrong, guesser, cannotTell, leaks);
    }

    private double solve(Workshop workshop, Unit unit) {
        Unit.Solution solution = workshop.solution();
        for (View view : View.values()) {
            if (view.cost() == 0) {
                run("reference", "evidence", view.label());
            }
        }
        List<String> command = new ArrayList<>(
                List.of("answer", "--cause", solution.cause(), "--remedy", solution.remedy(), "--sure", "100%"));
        if (solution.at() >= 0) {
            command.addAll(List.of("--at", String.format(Locale.ROOT, "%.3f", solution.at())));
        }
        for (String fact : solution.because()) {
            buyViewOf(fact);
            command.addAll(List.of("--because", workshop.cite(fact, solution.at())));
        }
        for (String measurement : solution.not()) {
            String told = run("reference", "ask", measurement);
            Matcher number = NUMBER.matcher(told.substring(told.indexOf(':') + 1));
            command.addAll(List.of("--not", measurement + "=" + (number.find() ? number.group() : "-")));
        }
        run("reference", command.toArray(String[]::new));
        run("reference", "debrief");
        return score(unit, "reference");
    }

    private void buyViewOf(String fact) {
        for (View view : View.values()) {
            if (view.cost() > 0 && view.isOf(fact)) {
                run("reference", "evidence", view.label());
            }
        }
    }

    /** A plausible error: the right time, another suspect, and quite sure. */
    private double wrong(Unit unit, String trainee, int number) {
        run(trainee, "start", unit.name());
        Unit.Solution solution = open(trainee).solution();
        List<String> others = unit.settings().suspects().stream()
                .filter(suspect -> !suspect.equals(solution.cause()) && !suspect.equals("clean"))
                .toList();
        List<String> command =
                new ArrayList<>(List.of("answer", "--cause", others.get(number % others.size()), "--sure", "80%"));
        if (solution.at() >= 0) {
            command.addAll(List.of("--at", String.format(Locale.ROOT, "%.3f", solution.at())));
        }
        run(trainee, command.toArray(String[]::new));
        return score(unit, trainee);
    }

    private static double rounded(double points) {
        return Math.rint(points * 10) / 10;
    }

    private static double guess(Workshop workshop, Unit unit) {
        return rounded(unit.settings().suspects().stream()
                .mapToDouble(suspect -> workshop.tryAnswer(answer(suspect, 50)).score())
                .average()
                .orElse(0));
    }

    /** Without a time nothing is seen or located; for a case without a fault that is the same for both. */
    private static Answer answer(String cause, int sure) {
        return new Answer(cause, null, List.of(), Map.of(), null, sure);
    }

    private double score(Unit unit, String trainee) {
        return open(trainee)
                .session(unit)
                .flatMap(session -> Optional.ofNullable(session.grade()))
                .map(grade -> rounded(grade.score()))
                .orElse(0.0);
    }

    private String run(String trainee, String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = Terminal.of(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(
                "--dir",
                directory.toString(),
                "--trainee",
                trainee,
                "--units",
                units.toString(),
                "--corpus",
                options.corpus().toString()));
        List<Exception> failures = new ArrayList<>();
        int code = new CommandLine(new WorkshopCommand(terminal))
                .setErr(terminal.errWriter())
                .setExecutionExceptionHandler((failure, line, result) -> {
                    failures.add(failure);
                    return 1;
                })
                .execute(arguments.toArray(String[]::new));
        if (code != 0) {
            String reason = failures.isEmpty()
                    ? err.toString(StandardCharsets.UTF_8)
                    : String.valueOf(failures.get(0).getMessage());
            throw new InputException("workshop " + String.join(" ", command) + ": " + reason);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
