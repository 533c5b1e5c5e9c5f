package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.report.Report;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.ReplayCommandLine;
import org.naklab.lab.scenarios.record.RunResult;
import picocli.CommandLine.Help.Ansi.Text;

/** The last screen of a run: the verdict and the story, the figures, the conditions, and what to look at next. */
final class RunSummaryPrinter {
    /** Of the figures that do not fit beside their claim. */
    private static final int FIGURES_INDENT = 10;

    /** Longer lines are hard to read, however wide the terminal. */
    private static final int STORY_WIDTH = 110;

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
        out.println();
        verdict(result);
        result.story().forEach(this::print);
        table(result.outcome());
        new HeadroomPrinter(terminal, out).print(result.outcome().sockets());
        out.println();
        conditions(result.conditions(), result.outcome().isInterrupted());
        stalls(result);
        result.outcome().observation().blind().forEach(line -> printHanging("  blind    ", line));
        next(result);
    }

    /** Prints one run of many. */
    static void printShort(Terminal terminal, PrintStream out, RunResult result, String number) {
        RunOutcome outcome = result.outcome();
        String text = String.format(
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
        new Table(terminal, out, Align.RIGHT, Align.LEFT, Align.LEFT)
                .row(
                        terminal.plain(out, number),
                        terminal.markup(out, word(result.verdict())),
                        terminal.plain(out, text))
                .print();
    }

    private static String firstDoubt(RunResult result) {
        return result.conditions().stream()
                .filter(condition -> condition.verdict() == result.verdict())
                .findFirst()
                .map(condition -> condition.claim() + ": " + condition.figures())
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
                    row.published(),
                    row.received(),
                    row.journaled(),
                    row.naks(),
                    row.drops(),
                    row.blockedSends(),
                    row.deepestSocket());
        }
        table.print();
    }

    private void conditions(List<Expectation> conditions, boolean isInterrupted) {
        List<Expectation> shown = conditions.stream()
                .filter(condition -> isVerbose
                        || condition.verdict() == Verdict.FAIL
                        || (condition.verdict() == Verdict.UNKNOWN && !isInterrupted))
                .toList();
        print(shown);
        long open = conditions.stream()
                .filter(condition -> condition.verdict() == Verdict.UNKNOWN)
                .count();
        if (isInterrupted && !isVerbose) {
            printHanging("  interrupted:  ", open + " conditions could not be checked");
        }
        long held = conditions.stream()
                .filter(condition -> condition.verdict() == Verdict.PASS)
                .count();
        String all = shown.size() == conditions.size() ? "" : " (--verbose lists them)";
        printHanging("  as predicted: ", held + " of " + conditions.size() + " conditions" + all);
        out.println();
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
        printMarkup(word(result.verdict()) + "  " + outcome.plan().scenario() + " "
                + (outcome.isInterrupted() ? RunOutcome.INTERRUPTED : meaning(result.verdict()))
                + ", diagnosis " + result.diagnosis() + ", in " + Format.seconds(outcome.elapsedNs()));
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

    private void next(RunResult result) {
        Path directory = shortest(result.outcome().plan().directory());
        out.println("  run      " + directory);
        if (Files.exists(Report.of(directory))) {
            out.println("  report   " + Report.of(directory));
        }
        if (result.outcome().journal() != null) {
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

    private void printMarkup(String markup) {
        out.println(terminal.styled(out, markup));
    }
}
