package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.cli.terminal.TextWrap;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.report.Report;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.ProcessSummary;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.ReplayCommandLine;
import org.naklab.lab.scenarios.record.RunResult;

/** The last screen of a run: what was predicted and seen, the verdict, and what to look at next. */
final class RunSummaryPrinter {
    private static final int MAX_STALLS_SHOWN = 3;
    /** As wide as the usual terminal. */
    private static final String ROW = "  %-10s %10s %10s %10s %6s %7s %8s %10s";

    /** Longer lines are hard to read, however wide the terminal. */
    private static final int STORY_WIDTH = 110;

    /** Where a condition's claim begins. */
    private static final int CLAIM_COLUMN = 8;

    private final Terminal terminal;
    private final PrintStream out;
    private final int columns;

    RunSummaryPrinter(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
        columns = terminal.columns(out);
    }

    void print(RunResult result) {
        table(result.outcome());
        out.println();
        int claims = result.conditions().stream()
                .mapToInt(condition -> condition.claim().length())
                .max()
                .orElse(0);
        result.conditions().forEach(condition -> print(condition, claims));
        out.println();
        verdict(result);
        result.outcome().observation().blind().forEach(line -> hang("  blind    ", line));
        next(result);
        tell(result.story());
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
        say("@|faint "
                + String.format(
                        Locale.ROOT,
                        ROW,
                        "",
                        "published",
                        "received",
                        "journaled",
                        "NAKs",
                        "drops",
                        "blocked",
                        "max depth")
                + "|@");
        for (ProcessSummary row : rows) {
            out.printf(
                    Locale.ROOT,
                    ROW + "%n",
                    row.process(),
                    row.published(),
                    row.received(),
                    row.journaled(),
                    row.naks(),
                    row.drops(),
                    row.blockedSends(),
                    row.deepestSocket());
        }
    }

    /** Its figures beside the claim, or below it where that is too wide. */
    private void print(Expectation condition, int claims) {
        String claim = "  " + mark(condition.verdict()) + "  " + condition.claim();
        if (CLAIM_COLUMN + claims + 2 + condition.figures().length() <= columns) {
            say(claim + " ".repeat(claims - condition.claim().length()) + "  " + condition.figures());
        } else {
            say(claim);
            hang(" ".repeat(CLAIM_COLUMN + 2), condition.figures());
        }
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
        say(word(result.verdict()) + "  " + outcome.plan().scenario() + "  diagnosis " + result.diagnosis()
                + "  stalls " + outcome.stalls().size() + "  in " + Format.seconds(outcome.elapsedNs()));
        outcome.stalls().stream()
                .sorted(Comparator.comparingDouble(Stall::durationMs).reversed())
                .limit(MAX_STALLS_SHOWN)
                .forEach(stall -> stall(outcome, stall));
        int more = outcome.stalls().size() - MAX_STALLS_SHOWN;
        if (more > 0) {
            out.println("           and " + more + (more == 1 ? " shorter one" : " shorter ones") + ": see run.json");
        }
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "@|bold,green PASS|@";
            case FAIL -> "@|bold,red FAIL|@";
            case UNKNOWN -> "@|bold,yellow UNKNOWN|@";
        };
    }

    private void stall(RunOutcome outcome, Stall stall) {
        String faults = stall.majorFaults() < 0 ? "unknown" : Format.count(stall.majorFaults());
        hang(
                "  stall    ",
                Format.milliseconds(stall.durationMs()) + " on " + stall.thread() + ", major faults " + faults
                        + ", cause " + stall.cause());
        BindMatch.of(outcome, stall).ifPresent(bind -> hang("  bind     ", bind.toString()));
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
            out.println(
                    "  again    " + ReplayCommandLine.command(result.outcome().plan()));
        }
    }

    /** At the very end, where it is read first. */
    private void tell(List<StoryLine> story) {
        if (!story.isEmpty()) {
            out.println();
            story.forEach(this::tell);
        }
    }

    /** Sentences are broken where this terminal needs it; commands stay whole, to be copied. */
    private void tell(StoryLine line) {
        if (line.holdsCommands()) {
            line.lines().forEach(command -> out.println("  " + command));
        } else {
            String head = String.format("  %-9s", line.head());
            TextWrap.hanging(head, line.text(), Math.min(columns, STORY_WIDTH)).forEach(out::println);
        }
    }

    private void hang(String head, String text) {
        TextWrap.hanging(head, text, columns).forEach(out::println);
    }

    /** From where the user stands, when that is shorter. */
    private static Path shortest(Path directory) {
        Path here = Path.of("").toAbsolutePath();
        return directory.startsWith(here) ? here.relativize(directory) : directory;
    }

    private void say(String markup) {
        out.println(terminal.styled(out, markup));
    }
}
