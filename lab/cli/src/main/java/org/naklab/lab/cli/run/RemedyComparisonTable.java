package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.experiment.RemedyComparison;
import org.naklab.lab.scenarios.experiment.RemedyLatency;
import org.naklab.lab.scenarios.experiment.RemedyPrice;
import org.naklab.lab.scenarios.experiment.RemedyStaleQuotes;
import org.naklab.lab.scenarios.experiment.RemedySummary;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** The last screen of several runs: a line for each remedy. */
final class RemedyComparisonTable {
    /** The indentation of a text that does not fit beside the figures. */
    private static final int EFFECT_INDENT = 6;

    private final Terminal terminal;
    private final PrintStream out;

    RemedyComparisonTable(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    void print(RemedyComparison comparison) {
        List<RemedySummary> summaries = comparison.summaries();
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
                Align.LEFT);
        table.below(EFFECT_INDENT);
        table.head("remedy", "passed", "stalls", "longest", "drops", "NAKs", "blocked", "runs with a NAK: effect");
        summaries.forEach(summary -> add(table, summary));
        table.print();
        out.println();
        out.println("  runs with a NAK: with the 95 % confidence interval (Wilson) of the proportion");
        comparison.note().ifPresent(note -> terminal.printHanging(out, "  note: ", note));
        printPrices(comparison);
        printLatency(summaries);
        printStaleQuotes(summaries);
        if (summaries.stream().anyMatch(summary -> summary.verdicts().unknown() > 0)) {
            out.println("  runs without a verdict count only in the column passed");
        }
        printMarkup("@|bold " + comparison.verdict().label().toUpperCase(Locale.ROOT) + "|@");
    }

    private void printPrices(RemedyComparison comparison) {
        List<RemedySummary> summaries = comparison.summaries();
        if (summaries.stream().allMatch(summary -> summary.measured().price() == null)) {
            return;
        }
        out.println();
        Table table = new Table(terminal, out, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("price", "CPU per event", "memory", "locked", "start");
        for (RemedySummary summary : summaries) {
            RemedyPrice price = summary.measured().price();
            if (price == null) {
                table.row(summary.remedy().toString(), "", "", "", "not known");
            } else {
                table.row(
                        summary.remedy().toString(),
                        cpu(price),
                        Format.bytes(Math.round(price.memoryBytes())),
                        Format.bytes(Math.round(price.lockedBytes())),
                        Format.milliseconds(price.startMs()));
            }
        }
        table.print();
        out.println();
        out.println("  price: what the service needed, medians of the runs; CPU time from when it was ready");
        Map<Remedy, String> prices = comparison.prices();
        for (RemedySummary summary : summaries) {
            if (!summary.remedy().equals(Remedy.NONE)) {
                terminal.printHanging(out, "  " + summary.remedy() + ": ", prices.getOrDefault(summary.remedy(), ""));
            }
        }
    }

    static String cpu(RemedyPrice price) {
        return String.format(Locale.ROOT, "%.2f us", price.cpuMicrosPerEvent());
    }

    /** Prints how late the events were: a remedy that hides the symptom does not change it. */
    private void printLatency(List<RemedySummary> summaries) {
        if (summaries.stream().allMatch(summary -> summary.measured().latency() == null)) {
            return;
        }
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
        table.head("latency, ms", "p50", "p99", "p99.9", "max", "> 1 ms", "> 10 ms", "> 100 ms");
        for (RemedySummary summary : summaries) {
            RemedyLatency latency = summary.measured().latency();
            if (latency != null) {
                table.row(
                        summary.remedy().toString(),
                        LatencyRecord.milliseconds(latency.p50Us()),
                        LatencyRecord.milliseconds(latency.p99Us()),
                        LatencyRecord.milliseconds(latency.p999Us()),
                        LatencyRecord.milliseconds(latency.maxUs()),
                        LatencyRecord.percent(latency.over1MsShare()),
                        LatencyRecord.percent(latency.over10MsShare()),
                        LatencyRecord.percent(latency.over100MsShare()));
            }
        }
        table.print();
        out.println();
        out.println("  latency: from due to in the books of the service; percentiles: the median run");
    }

    private void printStaleQuotes(List<RemedySummary> summaries) {
        if (summaries.stream().allMatch(summary -> summary.measured().staleQuotes() == null)) {
            return;
        }
        out.println();
        Table table = new Table(terminal, out, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("stale quotes", "> 10 ms", "in total", "longest", "difference");
        for (RemedySummary summary : summaries) {
            RemedyStaleQuotes quotes = summary.measured().staleQuotes();
            if (quotes != null) {
                table.row(
                        summary.remedy().toString(),
                        Format.count(quotes.over10Ms()),
                        Format.milliseconds(quotes.totalMs()),
                        Format.milliseconds(quotes.longestMs()),
                        difference(quotes));
            }
        }
        table.print();
        out.println();
        out.println("  stale quotes: the best bid or offer of the service was not that of the exchange, all runs");
    }

    static String difference(RemedyStaleQuotes quotes) {
        return String.format(Locale.ROOT, "%.4f", quotes.maxDifference());
    }

    private static void add(Table table, RemedySummary summary) {
        table.row(
                summary.remedy().toString(),
                summary.verdicts().passed() + "/" + summary.verdicts().runs(),
                Format.count(summary.harm().stalls()),
                Format.milliseconds(summary.harm().longestStallMs()),
                Format.count(summary.harm().datagramsDropped()),
                Format.count(summary.harm().naks()),
                Format.count(summary.harm().blockedSends()),
                summary.withNak().text() + ": " + effect(summary));
    }

    static String effect(RemedySummary summary) {
        boolean isIncident = summary.remedy().equals(Remedy.NONE) && summary.effect() == Answer.DOES_NOT_HELP;
        return isIncident ? "(the incident)" : summary.effect().label();
    }

    private void printMarkup(String markup) {
        out.println(terminal.styled(out, markup));
    }
}
