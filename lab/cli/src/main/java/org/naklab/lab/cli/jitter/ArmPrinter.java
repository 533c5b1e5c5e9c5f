package org.naklab.lab.cli.jitter;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

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
                String.valueOf(summary.jdk()),
                summary.arm(),
                us(summary.latencyUs().p99()),
                us(summary.latencyUs().p999()),
                us(summary.latencyUs().max()),
                String.format(Locale.ROOT, "%.1f", summary.periodicPerMinute()),
                share(summary.secondsWithOutlier()) + "; " + summary.effect().words()));
        table.print();
        summaries.forEach(summary -> terminal.out().println(sentence(summary)));
    }

    /** What was counted, not what the documentation of a JDK says. */
    private static String sentence(ArmSummary summary) {
        String head = "JDK " + summary.jdk() + ", " + summary.arm() + ": ";
        String operations = summary.safepoints().stream()
                .map(each -> each.count() + " " + (each.operation().isEmpty() ? "without operation" : each.operation()))
                .collect(Collectors.joining(", "));
        String pauses = "; outliers for a safepoint or a collection in " + share(summary.secondsWithPause())
                + " of the seconds";
        String periodic = summary.periodicPerMinute() == 0 ? "no periodic safepoint" : "";
        return head
                + (operations.isEmpty()
                        ? "no safepoint at all"
                        : (periodic.isEmpty() ? "" : periodic + "; ") + "safepoints: " + operations)
                + pauses;
    }

    private static String share(WilsonInterval interval) {
        return String.format(
                Locale.ROOT,
                "%d of %d (%.0f to %.0f %%)",
                interval.hits(),
                interval.trials(),
                100 * interval.low(),
                100 * interval.high());
    }

    private static String us(double us) {
        return String.format(Locale.ROOT, us < 10 ? "%.1f" : "%,.0f", us);
    }
}
