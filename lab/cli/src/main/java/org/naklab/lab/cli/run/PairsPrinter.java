package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.scenarios.experiment.CausePair;
import org.naklab.lab.scenarios.experiment.Confusion;
import org.naklab.lab.scenarios.experiment.PairExperiment;
import org.naklab.lab.scenarios.experiment.PairFinding;
import org.naklab.lab.scenarios.experiment.PairMatrix;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints a line for each run of pairs of causes on standard error, keeps it for the page, and prints the table. */
final class PairsPrinter implements PairExperiment.Listener {
    private final Terminal terminal;
    private final StepProgress steps;
    private final List<ConfusionPage.Attempt> attempts = new ArrayList<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    PairsPrinter(Terminal terminal, StepProgress steps) {
        this.terminal = terminal;
        this.steps = steps;
    }

    @Override
    public void onSkipped(CausePair pair, String reason) {
        leftOut.put(pair.toString(), reason);
        terminal.err().println("skipped: " + pair + ": " + reason);
    }

    @Override
    public void onRun(PairFinding finding, long seed, Confusion.Attempt attempt, boolean isCounted) {
        String verdict = attempt.result().verdict().label();
        attempts.add(new ConfusionPage.Attempt(
                finding.pair().toString(),
                seed,
                finding.named(),
                finding.isBothNamed() ? finding.before() + " first" : "",
                verdict,
                finding.isBothNamed(),
                isCounted,
                attempt.directory()));
        String what = finding.isBothNamed() ? "both named, " + finding.before() + " first" : finding.named();
        terminal.err()
                .println((isCounted ? steps.ended() : "") + finding.pair() + ", seed " + seed + ": "
                        + (isCounted ? verdict + ", " + what : "inconclusive, repeating")
                        + (finding.isBothNamed() ? "" : "; see " + attempt.directory()));
    }

    @Override
    public void onWaiting(String what) {
        terminal.err().println(what);
    }

    /** Prints a row for each pair. */
    void print(PairMatrix matrix) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.LEFT, Align.LEFT);
        table.head("injected", "named", "named first", "also named");
        matrix.rows()
                .forEach(
                        (pair, row) -> table.row(pair, named(pair, row), counted(row.before()), counted(row.others())));
        terminal.out().println();
        table.print();
        terminal.out()
                .println(matrix.isSuccess() ? "  both causes named in every run" : "  not both named in every run");
        matrix.rows().forEach((pair, row) -> {
            if (row.failed() > 0) {
                terminal.out().println("  " + pair + ": " + row.failed() + " runs with the verdict fail");
            }
        });
    }

    private static String named(String pair, PairMatrix.Row row) {
        return row.named().entrySet().stream()
                .map(each -> (each.getKey().equals(pair) ? "both" : each.getKey() + " (!)") + " x" + each.getValue())
                .collect(Collectors.joining("  "));
    }

    private static String counted(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " x" + each.getValue())
                .collect(Collectors.joining(", "));
    }

    void write(Path page) {
        ConfusionPage.write(page, attempts, leftOut);
    }
}
