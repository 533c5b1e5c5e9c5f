package org.naklab.lab.cli;

import java.util.List;
import java.util.TreeMap;
import org.naklab.lab.cli.doctor.tuning.TuningFinding;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints the findings of {@code naklab doctor --tuning}. */
final class DoctorTuning {
    private DoctorTuning() {}

    static void print(Terminal terminal, List<TuningFinding> findings) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.LEFT);
        for (TuningFinding finding : findings) {
            table.row(finding.experiment(), "found", finding.found());
            table.row("", "why", finding.reason());
            new TreeMap<>(finding.leftOut())
                    .forEach((arm, reason) -> table.row("", "not here", "arm " + arm + ": " + reason));
            table.row("", "measure", finding.command());
        }
        table.print();
        terminal.out().println();
        terminal.out().println("Nothing here is advice: run the command to see what a setting does on this machine.");
    }
}
