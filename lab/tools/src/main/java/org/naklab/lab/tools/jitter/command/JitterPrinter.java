package org.naklab.lab.tools.jitter.command;

import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.terminal.SafepointPrinter;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.reason.Part;

/** Prints a report of the meter. */
final class JitterPrinter {
    private final Terminal terminal;

    JitterPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(JitterReport report) {
        printLatency(report);
        printReasons(report);
        printWorst(report);
        JitterReport.WorstTrace trace = report.circumstances().worstTrace();
        if (trace != null) {
            print(trace);
        }
        SafepointPrinter.print(terminal, terminal.out(), report.pauses().safepoints(), "while it was measured");
        printPhase(report.outlying().phase());
        report.circumstances().notLookedAt().forEach(each -> terminal.out().println("Not looked at: " + each));
        if (report.circumstances().injected() != null) {
            JitterReport.Injected injected = report.circumstances().injected();
            terminal.out()
                    .println("Injected: " + injected.made() + " times " + injected.kind() + " for "
                            + us(injected.lengthUs()) + " us; " + injected.found() + " found, " + injected.attributed()
                            + " explained, " + injected.named() + " by what was injected. Outside of these pauses, "
                            + Format.counted(injected.unexplainedBesides(), "outlier") + " without a reason.");
        }
    }

    private void printLatency(JitterReport report) {
        JitterReport.Latency latency = report.measured().latencyUs();
        terminal.out()
                .println("JDK " + report.run().java() + ": "
                        + Format.count(report.measured().messages()) + " messages, one each "
                        + us(report.threads().paceUs()) + " us");
        Table table = new Table(
                terminal,
                terminal.out(),
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT);
        table.head("latency, us", "p50", "p90", "p99", "p99.9", "p99.99", "max");
        table.row(
                "due to read",
                us(latency.p50()),
                us(latency.p90()),
                us(latency.p99()),
                us(latency.p999()),
                us(latency.p9999()),
                us(latency.max()));
        table.print();
        new LatencyHistogram(report.histogram())
                .print(terminal, report.outlying().thresholdUs());
    }

    private void printReasons(JitterReport report) {
        terminal.out()
                .println(Format.count(report.outlying().outliers()) + " outliers of "
                        + us(report.outlying().thresholdUs()) + " us and more, "
                        + Format.count(report.outlying().attributed()) + " with a reason");
        if (report.outlying().outliers() == 0) {
            return;
        }
        Table table =
                new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("reason", "count", "total ms", "longest us", "the longest");
        report.outlying()
                .reasons()
                .forEach(sum -> table.row(
                        sum.reason().label(),
                        Format.count(sum.count()),
                        String.format(Locale.ROOT, "%.1f", sum.totalUs() / Units.US_PER_MS),
                        us(sum.longestUs()),
                        sum.detail()));
        table.print();
    }

    private void printWorst(JitterReport report) {
        if (report.outlying().worst().isEmpty()) {
            return;
        }
        terminal.out().println("The worst");
        Table table = new Table(terminal, terminal.out(), Align.RIGHT, Align.LEFT, Align.RIGHT, Align.LEFT);
        table.head("us", "UTC", "phase ms", "what kept " + "the thread");
        report.outlying()
                .worst()
                .forEach(late -> table.row(
                        us(late.delay().us()),
                        late.when().utc().substring(late.when().utc().indexOf('T') + 1),
                        String.format(Locale.ROOT, "%.0f", late.delay().phaseMs()),
                        account(late.reason().parts())));
        table.print();
    }

    private void print(JitterReport.WorstTrace trace) {
        terminal.out()
                .println(
                        trace.cpu() < 0
                                ? "The kernel's trace of the worst does not show " + trace.thread() + "; it is in "
                                        + trace.file()
                                : "CPU " + trace.cpu() + " of " + trace.thread() + " in the worst; all CPUs are in "
                                        + trace.file());
        if (trace.activity().isEmpty()) {
            return;
        }
        Table table =
                new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("what ran", "name", "times", "total us", "longest us");
        trace.activity()
                .forEach(sum -> table.row(
                        sum.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        sum.name(),
                        Format.count(sum.count()),
                        us(sum.totalNs() / Units.NS_PER_US),
                        us(sum.longestNs() / Units.NS_PER_US)));
        table.print();
    }

    /** Returns the longest parts of an outlier as a sum. */
    static String account(List<Part> parts) {
        StringBuilder text = new StringBuilder();
        parts.stream().filter(part -> part.us() >= 1).limit(3).forEach(part -> text.append(text.isEmpty() ? "" : " + ")
                .append(us(part.us()))
                .append(' ')
                .append(part.reason().label())
                .append(part.detail().isEmpty() ? "" : " (" + part.detail() + ")"));
        return text.toString();
    }

    private void printPhase(List<Long> phase) {
        if (phase.stream().anyMatch(count -> count > 0)) {
            terminal.out().println("Outliers within the second, 0 to 1 s: [" + SafepointPrinter.bars(phase) + "]");
        }
    }

    private static String us(double us) {
        return us < 10 ? String.format(Locale.ROOT, "%.1f", us) : String.format(Locale.ROOT, "%,.0f", us);
    }
}
