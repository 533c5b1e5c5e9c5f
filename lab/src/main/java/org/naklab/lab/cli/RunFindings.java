package org.naklab.lab.cli;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.Figures;
import org.naklab.lab.Program;
import org.naklab.lab.report.Report;
import org.naklab.lab.run.Replay;
import org.naklab.lab.run.RunResult;
import org.naklab.lab.scenario.Condition;
import org.naklab.lab.scenario.RunOutcome;
import org.naklab.lab.scenario.ServiceFigures;
import org.naklab.lab.scenario.Stall;
import org.naklab.lab.scenario.Verdict;

/** The last screen of a run: what was predicted and seen, the verdict, and what to look at next. */
final class RunFindings {
    private static final int MAX_STALLS_SHOWN = 3;

    private final Terminal terminal;
    private final PrintStream out;

    RunFindings(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    void print(RunResult result) {
        table(result.outcome());
        out.println();
        int width = result.conditions().stream()
                .mapToInt(condition -> condition.claim().length())
                .max()
                .orElse(0);
        result.conditions().forEach(condition -> print(condition, width));
        out.println();
        verdict(result);
        result.outcome().observation().blind().forEach(line -> out.println("  blind    " + line));
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
                Figures.count(outcome.datagramsDropped()),
                Figures.count(outcome.naks()),
                result.diagnosis(),
                Figures.seconds(outcome.elapsedNs()),
                result.verdict() == Verdict.PASS ? "" : "; " + firstDoubt(result));
    }

    private static String firstDoubt(RunResult result) {
        return result.conditions().stream()
                .filter(condition -> condition.verdict() == result.verdict())
                .findFirst()
                .map(condition -> condition.claim() + ": " + condition.figures())
                .orElse("nothing was checked");
    }

    private void table(RunOutcome outcome) {
        List<ServiceFigures> rows = ServiceFigures.of(outcome);
        out.println();
        say("@|faint "
                + String.format(
                        Locale.ROOT,
                        "  %-10s %12s %12s %12s %7s %7s %9s %14s",
                        "",
                        "published",
                        "received",
                        "journaled",
                        "NAKs",
                        "drops",
                        "blocked",
                        "deepest socket")
                + "|@");
        for (ServiceFigures row : rows) {
            out.printf(
                    Locale.ROOT,
                    "  %-10s %12s %12s %12s %7s %7s %9s %14s%n",
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

    private void print(Condition condition, int width) {
        String padding = " ".repeat(width - condition.claim().length());
        say("  " + mark(condition.verdict()) + "  " + condition.claim() + padding + "  " + condition.figures());
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
                + "  stalls " + outcome.stalls().size() + "  in " + Figures.seconds(outcome.elapsedNs()));
        outcome.stalls().stream()
                .sorted(Comparator.comparingDouble(Stall::durationMs).reversed())
                .limit(MAX_STALLS_SHOWN)
                .forEach(this::stall);
        if (outcome.stalls().size() > MAX_STALLS_SHOWN) {
            out.println("  and " + (outcome.stalls().size() - MAX_STALLS_SHOWN) + " shorter ones: see run.json");
        }
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "@|bold,green PASS|@";
            case FAIL -> "@|bold,red FAIL|@";
            case UNKNOWN -> "@|bold,yellow UNKNOWN|@";
        };
    }

    private void stall(Stall stall) {
        String faults = stall.majorFaults() < 0 ? "unknown" : Figures.count(stall.majorFaults());
        out.println("  stall    " + Figures.milliseconds(stall.durationMs()) + " on " + stall.thread()
                + ", major faults " + faults + ", cause " + stall.cause());
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
            out.println("  again    " + Replay.command(result.outcome().plan()));
        }
    }

    /** At the very end, where it is read first. */
    private void tell(List<String> story) {
        if (!story.isEmpty()) {
            out.println();
            story.forEach(line -> out.println("  " + line));
        }
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
