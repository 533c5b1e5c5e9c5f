package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Program;
import org.naklab.lab.process.Installation;
import org.naklab.lab.report.Report;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.ReplayCommandLine;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Help.Ansi.Text;

/** The last screen of a run: the verdict and the story, the figures, the conditions, and what to look at next. */
final class RunSummaryPrinter {
    /** Of the figures that do not fit beside their claim. */
    private static final int FIGURES_INDENT = 10;

    /** Longer lines are hard to read, however wide the terminal. */
    private static final int STORY_WIDTH = 110;

    private static final int MAX_UNMET_SHOWN = 3;
    private static final int MAX_FURTHER_CAUSES = 2;
    private static final String RESULT = "result";

    private static final String FURTHER_CAUSE = "also";

    private static final String STALLED = "stalled";

    /** What was tried before stands in the history, and the commands that try the rest come next. */
    private static final String TRIED = "tried";

    private final Terminal terminal;
    private final PrintStream out;
    private final boolean isVerbose;

    /** @param isVerbose whether conditions that hold are listed, not counted */
    RunSummaryPrinter(Terminal terminal, PrintStream out, boolean isVerbose) {
        this.terminal = terminal;
        this.out = out;
        this.isVerbose = isVerbose;
    }

    void print(RunResult result) {
        if (result.outcome().isInterrupted() && !isVerbose) {
            interrupted(result);
            return;
        }
        out.println();
        verdict(result);
        report(result);
        story(result).forEach(this::print);
        unmet(result.conditions());
        result.outcome().observation().sight().blind().forEach(line -> printHanging("  blind    ", line));
        if (isVerbose) {
            table(result.outcome());
            new HeadroomPrinter(terminal, out).print(result.outcome().sockets());
            out.println();
            conditions(result.conditions());
            stalls(result);
        }
        next(result);
    }

    /** The answer names the stall that matters with its length: the figure of the stall alone says it again. */
    private List<StoryLine> story(RunResult result) {
        if (isVerbose) {
            return result.story();
        }
        List<StoryLine> shown = new ArrayList<>();
        int further = 0;
        for (StoryLine line : result.story()) {
            boolean isSaid = (line.head().equals(TRIED)
                            && result.outcome().plan().remedy().equals(Remedy.NONE))
                    || (line.head().equals(STALLED) && result.mainStall().isPresent());
            further += line.head().equals(FURTHER_CAUSE) ? 1 : 0;
            if (!isSaid && !(line.head().equals(FURTHER_CAUSE) && further > MAX_FURTHER_CAUSES)) {
                shown.add(line);
            }
        }
        return shown;
    }

    /** Returns a listener that prints one line, which is never broken, for each run that has ended; with {@code json} none at all. */
    static RunListener onlyVerdicts(Terminal terminal, boolean json) {
        return new RunListener() {
            @Override
            public void onFinished(RunResult result) {
                if (!json) {
                    PrintStream out = terminal.out();
                    out.println(result.outcome().plan().scenario() + "  " + terminal.styled(out, word(result.verdict()))
                            + "  " + Printable.of(shortText(result)));
                }
            }
        };
    }

    /** Prints one run of many. */
    static void printShort(Terminal terminal, PrintStream out, RunResult result, String number) {
        new Table(terminal, out, Align.RIGHT, Align.LEFT, Align.LEFT)
                .row(
                        terminal.plain(out, number),
                        terminal.markup(out, word(result.verdict())),
                        terminal.plain(out, shortText(result)))
                .print();
    }

    private static String shortText(RunResult result) {
        RunOutcome outcome = result.outcome();
        return String.format(
                Locale.ROOT,
                "seed %d  remedy %s: %s, %s, %s, diagnosis %s, in %s%s",
                outcome.plan().seed(),
                outcome.plan().remedy(),
                Format.counted(outcome.stalls().size(), "stall"),
                Format.counted(outcome.datagramsDropped(), "drop"),
                Format.counted(outcome.naks(), "NAK"),
                result.diagnosis(),
                Format.seconds(outcome.elapsedNs()),
                result.verdict() == Verdict.PASS ? "" : "; " + firstDoubt(result));
    }

    private static String firstDoubt(RunResult result) {
        return result.conditions().stream()
                .filter(condition -> condition.verdict() == result.verdict())
                .findFirst()
                .map(Expectation::sentence)
                .orElse("no condition was checked");
    }

    private void table(RunOutcome outcome) {
        List<ProcessSummary> rows = ProcessSummary.of(outcome);
        out.println();
        Table table = new Table(
                terminal,
                out,
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT);
        table.head("", "published", "received", "journaled", "NAKs", "drops", "blocked", "max depth");
        for (ProcessSummary row : rows) {
            table.row(
                    row.process(),
                    row.feed().published(),
                    row.feed().received(),
                    row.feed().journaled(),
                    row.trouble().naks(),
                    row.trouble().drops(),
                    row.trouble().blockedSends(),
                    row.trouble().deepestSocket());
        }
        table.print();
    }

    private void conditions(List<Expectation> conditions) {
        print(conditions);
        printHanging("  as predicted: ", held(conditions) + " of " + conditions.size() + " conditions");
        out.println();
    }

    private static long held(List<Expectation> conditions) {
        return conditions.stream()
                .filter(condition -> condition.verdict() == Verdict.PASS)
                .count();
    }

    /** Nobody asked for the conditions of a run that was not let to its end: where its evidence is, and the stall that matters so far. */
    private void interrupted(RunResult result) {
        RunOutcome outcome = result.outcome();
        terminal.printStyled(
                out,
                word(result.verdict()) + "  ",
                outcome.plan().scenario() + " interrupted after " + Format.seconds(outcome.elapsedNs())
                        + ", no verdict; what was recorded is in "
                        + shortest(outcome.plan().directory()),
                STORY_WIDTH);
        if (result.mainStall().isPresent()) {
            result.story().stream().filter(line -> line.head().equals(RESULT)).forEach(this::print);
        }
    }

    /** What was expected is not what was found: the two stand in one sentence, so that the claim is not read as the finding. */
    private void unmet(List<Expectation> conditions) {
        List<Expectation> unmet = conditions.stream()
                .filter(condition -> condition.verdict() != Verdict.PASS)
                .toList();
        unmet.stream()
                .limit(isVerbose ? Long.MAX_VALUE : MAX_UNMET_SHOWN)
                .forEach(condition -> printHanging("  unmet    ", condition.sentence()));
        if (!isVerbose && unmet.size() > MAX_UNMET_SHOWN) {
            out.println("           and " + (unmet.size() - MAX_UNMET_SHOWN) + " more (--verbose lists them)");
        }
    }

    /** Prints the figures beside the claims; those of one that are too wide for that, below it. */
    private void print(List<Expectation> conditions) {
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT).below(FIGURES_INDENT);
        for (Expectation condition : conditions) {
            Text mark = terminal.markup(out, mark(condition.verdict()));
            Text claim = terminal.plain(out, condition.claim());
            table.row(mark, claim, terminal.plain(out, condition.figures()));
        }
        table.print();
    }

    private static String mark(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "@|green ok  |@";
            case FAIL -> "@|bold,red FAIL|@";
            case UNKNOWN -> "@|bold,yellow ?   |@";
        };
    }

    private void verdict(RunResult result) {
        RunOutcome outcome = result.outcome();
        List<Expectation> conditions = result.conditions();
        terminal.printStyled(
                out,
                word(result.verdict()) + "  ",
                outcome.plan().scenario() + " "
                        + (outcome.isInterrupted()
                                ? RunOutcome.INTERRUPTED
                                : meaning(result.verdict()) + ": " + explanation(result))
                        + ": " + held(conditions) + " of " + conditions.size() + " conditions hold; diagnosis "
                        + result.diagnosis() + ", in " + Format.seconds(outcome.elapsedNs()),
                STORY_WIDTH);
    }

    private void stalls(RunResult result) {
        RunOutcome outcome = result.outcome();
        new StallPrinter(terminal, out)
                .print(outcome.stalls(), result.mainStall(), stall -> BindMatch.of(outcome, stall)
                        .map(BindMatch::toString));
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "@|bold,green PASS|@";
            case FAIL -> "@|bold,red FAIL|@";
            case UNKNOWN -> "@|bold,yellow UNKNOWN|@";
        };
    }

    private static String meaning(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "as predicted";
            case FAIL -> "not as predicted";
            case UNKNOWN -> "inconclusive";
        };
    }

    /** The verdict is on the prediction, and not on the health of the service. */
    private static String explanation(RunResult result) {
        RunPlan plan = result.outcome().plan();
        boolean isIncident = plan.remedy().equals(Remedy.NONE)
                && Scenarios.find(plan.scenario())
                        .map(scenario -> !scenario.faultKinds().isEmpty())
                        .orElse(false);
        return switch (result.verdict()) {
            case PASS ->
                isIncident ? "the incident happened as the scenario says" : "the service did as the scenario says";
            case FAIL -> "something else happened than the scenario says";
            case UNKNOWN -> "the run does not show whether it went as the scenario says";
        };
    }

    private void report(RunResult result) {
        Path directory = result.outcome().plan().directory();
        Path report = Report.of(shortest(directory));
        if (Files.exists(report)) {
            out.println("  report   " + report);
            out.println("           " + Program.name() + " open " + named(directory) + "   (shows it in the browser)");
        }
    }

    /** Returns the shortest name under which other commands find the run just now. */
    private static Path named(Path directory) {
        Path scenario = directory.toAbsolutePath().normalize().getParent();
        Path usual =
                Installation.current().root().resolve("runs").toAbsolutePath().normalize();
        return scenario != null && usual.equals(scenario.getParent())
                ? usual.relativize(scenario)
                : shortest(directory);
    }

    private void next(RunResult result) {
        Path directory = shortest(result.outcome().plan().directory());
        if (!isVerbose) {
            out.println("  more     --verbose prints all figures and conditions; the report shows them too");
        }
        if (isVerbose || !Files.exists(Report.of(directory))) {
            out.println("  run      " + directory);
        }
        if (isVerbose && result.outcome().journal() != null) {
            out.println("  journal  " + Program.name() + " journal verify " + directory.resolve("journal"));
            out.println("           " + Program.name() + " journal dump " + directory.resolve("journal") + " | head");
        }
        if (result.verdict() != Verdict.PASS) {
            out.println("  logs     " + directory.resolve("*.log"));
        }
        // The story of an inconclusive run ends with this command.
        if (result.verdict() == Verdict.FAIL) {
            out.println(
                    "  again    " + ReplayCommandLine.command(result.outcome().plan()));
        }
    }

    /** Sentences are broken where this terminal needs it; commands stay whole, to be copied. */
    private void print(StoryLine line) {
        if (line.holdsCommands()) {
            line.lines().forEach(command -> out.println("  " + command));
        } else {
            terminal.printHanging(out, String.format("  %-9s", line.head()), line.text(), STORY_WIDTH);
        }
    }

    private void printHanging(String head, String text) {
        terminal.printHanging(out, head, text);
    }

    /** Returns the path relative to the working directory if that is shorter. */
    private static Path shortest(Path directory) {
        Path here = Path.of("").toAbsolutePath();
        return directory.startsWith(here) ? here.relativize(directory) : directory;
    }
}
