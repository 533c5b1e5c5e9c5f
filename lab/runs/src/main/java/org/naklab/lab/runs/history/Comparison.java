package org.naklab.lab.runs.history;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;

/**
 * Two runs beside each other.
 *
 * @param lines one a figure
 */
public record Comparison(RunRow first, RunRow second, List<Line> lines) {
    /** The end of the text of a figure that is a time. */
    private static final String MS = " ms";

    private static final String UNKNOWN = "unknown";
    private static final String SHARE = " %";
    private static final double PERCENT = 100;

    /**
     * A figure of both runs.
     *
     * @param difference second less first; empty where they are alike or no numbers
     */
    public record Line(String figure, String first, String second, String difference) {
        public boolean differs() {
            return !first.equals(second);
        }
    }

    /**
     * A figure of one run.
     *
     * @param text as shown
     * @param number its value, in ms if it is a time, in percent if it is a share; {@code null}: no number, or not known
     */
    public record Figure(String name, String text, @Nullable Double number) {
        /** Returns whether it is a share, in percent. */
        public boolean isShare() {
            return text.endsWith(SHARE);
        }

        /** Returns whether it is a time, in ms. */
        public boolean isTime() {
            return text.endsWith(MS);
        }
    }

    /** Compares two runs. */
    public static Comparison of(RunRow first, RunRow second) {
        List<Figure> a = figures(first);
        List<Figure> b = figures(second);
        return new Comparison(
                first,
                second,
                IntStream.range(0, a.size())
                        .mapToObj(i -> new Line(
                                a.get(i).name(), a.get(i).text(), b.get(i).text(), difference(a.get(i), b.get(i))))
                        .toList());
    }

    /** Returns the figures of a run that are compared; the same ones, in the same order, for each run. */
    public static List<Figure> figures(RunRow run) {
        RunFigures figures = run.figures();
        HostFacts host = run.hostFacts();
        String confidence = run.finding().confidence();
        return List.of(
                text("scenario", run.runCase().scenario()),
                text("fidelity", run.runCase().fidelity()),
                text("remedy", run.runCase().remedy()),
                text("profile", run.runCase().profile()),
                text("seed", String.valueOf(run.runCase().seed())),
                text("started (UTC)", run.startedUtc()),
                text("host", run.host() + ", " + host.cores() + " x " + host.processor()),
                text("kernel", host.kernel()),
                text("JDK", host.jdk()),
                text("verdict", run.finding().verdict()),
                text("diagnosis", run.finding().diagnosis() + (confidence == null ? "" : ", " + confidence)),
                text("colour", run.colour().label()),
                count("stalls", (long) figures.stalls()),
                time("longest stall", figures.longestStallMs()),
                latency("latency p50", run, LatencyRow::p50Us),
                latency("latency p99", run, LatencyRow::p99Us),
                latency("latency p99.9", run, LatencyRow::p999Us),
                latency("longest latency", run, LatencyRow::maxUs),
                late("events over 1 ms", run, LatencyRecord.Late::over1Ms),
                late("events over 10 ms", run, LatencyRecord.Late::over10Ms),
                late("events over 100 ms", run, LatencyRecord.Late::over100Ms),
                atClients("latency p99.9 at clients", run, LatencyRow::p999Us),
                atClients("longest latency at clients", run, LatencyRow::maxUs),
                stale("longest stale quote", run, quotes -> time("longest stale quote", quotes.longestMs())),
                stale("stale quotes over 10 ms", run, quotes -> count("stale quotes over 10 ms", quotes.over10Ms())),
                stale(
                        "largest difference of a quote",
                        run,
                        quotes -> new Figure(
                                "largest difference of a quote",
                                String.format(Locale.ROOT, "%.4f", quotes.maxDifference()),
                                null)),
                count("NAKs", figures.traffic().naks()),
                count("NAKs of the service", figures.traffic().serviceNaks()),
                count("datagrams dropped", figures.harm().datagramsDropped()),
                count("retransmits", figures.harm().retransmits()),
                count("blocked sends", figures.harm().blockedSends()),
                count("deepest socket, bytes", figures.harm().maxSocketDepthBytes()),
                count("messages published", figures.traffic().messages()));
    }

    private static Figure time(String name, double ms) {
        return new Figure(name, Format.milliseconds(ms), ms);
    }

    /** Returns a figure of the service's latency from due to in the order books. */
    private static Figure latency(String name, RunRow run, ToDoubleFunction<LatencyRow> figureUs) {
        return latency(name, run, LatencyRow.DUE_TO_BOOK, figureUs);
    }

    /** Returns a figure of the latency from due to in the books of customers of the service. */
    private static Figure atClients(String name, RunRow run, ToDoubleFunction<LatencyRow> figureUs) {
        return latency(name, run, LatencyRow.DUE_TO_CLIENT, figureUs);
    }

    private static Figure latency(String name, RunRow run, String hop, ToDoubleFunction<LatencyRow> figureUs) {
        return run.serviceLatency(hop)
                .map(latency -> time(name, figureUs.applyAsDouble(latency) / Units.US_PER_MS))
                .orElse(new Figure(name, UNKNOWN, null));
    }

    /** Returns the share of the service's events that were later than a limit. */
    private static Figure late(String name, RunRow run, ToLongFunction<LatencyRecord.Late> count) {
        LatencyRow latency = run.serviceLatency().orElse(null);
        LatencyRecord.Late late = latency == null ? null : latency.late();
        if (latency == null || late == null || latency.events() == 0) {
            return new Figure(name, UNKNOWN, null);
        }
        double share = (double) count.applyAsLong(late) / latency.events();
        return new Figure(name, LatencyRecord.percent(share), PERCENT * share);
    }

    private static Figure stale(String name, RunRow run, Function<StaleQuotesRecord, Figure> figure) {
        StaleQuotesRecord quotes = run.staleQuotes();
        return quotes == null ? new Figure(name, UNKNOWN, null) : figure.apply(quotes);
    }

    private static Figure text(String name, String text) {
        return new Figure(name, text, null);
    }

    private static Figure count(String name, @Nullable Long count) {
        return count == null || count < 0
                ? new Figure(name, UNKNOWN, null)
                : new Figure(name, Format.count(count), count.doubleValue());
    }

    private static String difference(Figure first, Figure second) {
        Double a = first.number();
        Double b = second.number();
        if (a == null || b == null || a.equals(b)) {
            return "";
        }
        if (first.isShare()) {
            return String.format(Locale.ROOT, "%+.1f %%", b - a);
        }
        return first.isTime()
                ? String.format(Locale.ROOT, "%+.1f ms", b - a)
                : String.format(Locale.ROOT, "%+,d", Math.round(b - a));
    }
}
