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

/** The last screen of a run: what was predicted and seen, the verdict, and what to look at next. */
final class RunSummaryPrinter {
    /** Of the figures that do not fit beside their claim. */
    private static final int FIGURES_INDENT = 10;

    /** Longer lines are hard to read, however wide the terminal. */
    private static final int STORY_WIDTH = 110;

    private final Terminal terminal;
    private final PrintStream out;

    RunSummaryPrinter(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    void print(RunResult result) {
        table(result.outcome());
        new HeadroomPrinter(terminal, out).print(result.outcome().sockets());
        out.println();
        conditions(result.conditions());
        out.println();
        verdict(result);
        result.outcome().observation().blind().forEach(line -> printHanging("  blind    ", line));
        next(result);
        printStory(result.story());
    }

    /** A run of many, as markup. */
    static String line(RunResult result, String number) {
        RunOutcome outcome = result.outcome();
        return String.format(
                Locale.ROOT,
                "%9s  %s  seed %d  remedy %s: %d stalls, %s drops, %s NAKs, diagnosis %s, in %s%s",
                number,
                word(result.verdict()),
                outcome.plan().seed(),
                outcome.plan().remedy(),
                outcome.stalls().size(),
                Format.count(outcome.datagramsDropped()),
                Format.count(outcome.naks()),
                result.diagnosis(),
                Format.seconds(outcome.elapsedNs()),
                result.verdict() == Verdict.PASS ? "" : "; " + firstDoubt(result));
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

    /** Prints the figures beside the claims; those of one that are too wide for that, below it. */
    private void conditions(List<Expectation> conditions) {
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
        printMarkup(word(result.verdict()) + "  " + outcome.plan().scenario() + "  diagnosis " + result.diagnosis()
                + "  stalls " + outcome.stalls().size() + "  in " + Format.seconds(outcome.elapsedNs()));
        new StallPrinter(terminal, out)
                .print(outcome.stalls(), result.mainStall(), stall -> BindMatch.of(outcome, stall));
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "@|bold,green PASS|@";
            case FAIL -> "@|bold,red FAIL|@";
            case UNKNOWN -> "@|bold,yellow UNKNOWN|@";
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

    /** Prints the story at the end, where it is read first. */
    private void printStory(List<StoryLine> story) {
        if (!story.isEmpty()) {
            out.println();
            story.forEach(this::print);
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
