package org.naklab.lab.tools.jitter.command;

import java.util.List;
import java.util.Locale;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints the comparison of arms. */
final class ArmPrinter {
    private final Terminal terminal;

    ArmPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(List<ArmSummary> summaries) {
        Table table = new Table(
                terminal,
                terminal.out(),
                Align.RIGHT,
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.LEFT);
        table.head("JDK", "arm", "p99 us", "p99.9 us", "max us", "periodic/min", "seconds with an outlier");
        summaries.forEach(summary -> table.row(
                String.valueOf(summary.tried().jdk()),
                summary.tried().arm(),
                us(summary.measured().latencyUs().p99()),
                us(summary.measured().latencyUs().p999()),
                us(summary.measured().latencyUs().max()),
                String.format(Locale.ROOT, "%.1f", summary.pauses().periodicPerMinute()),
                ArmSummary.share(summary.measured().secondsWithOutlier()) + "; "
                        + summary.against().effectWords()));
        table.print();
        summaries.forEach(summary -> terminal.out().println(summary.sentence()));
    }

    private static String us(double us) {
        return String.format(Locale.ROOT, us < 10 ? "%.1f" : "%,.0f", us);
    }
}
