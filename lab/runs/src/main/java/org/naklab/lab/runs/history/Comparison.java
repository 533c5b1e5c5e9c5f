package org.naklab.lab.runs.history;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;

/**
 * Two runs beside each other.
 *
 * @param lines one a figure
 */
public record Comparison(RunRow first, RunRow second, List<Line> lines) {
    /** The name of the only figure that is a time. */
    public static final String LONGEST_STALL = "longest stall";

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
     * @param number its value, in ms if it is {@link #LONGEST_STALL}; {@code null}: no number, or not known
     */
    public record Figure(String name, String text, @Nullable Double number) {}

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
                new Figure(LONGEST_STALL, Format.milliseconds(figures.longestStallMs()), figures.longestStallMs()),
                count("NAKs", figures.naks()),
                count("NAKs of the service", figures.serviceNaks()),
                count("datagrams dropped", figures.datagramsDropped()),
                count("retransmits", figures.retransmits()),
                count("blocked sends", figures.blockedSends()),
                count("deepest socket, bytes", figures.maxSocketDepthBytes()),
                count("messages published", figures.messages()));
    }

    private static Figure text(String name, String text) {
        return new Figure(name, text, null);
    }

    private static Figure count(String name, @Nullable Long count) {
        return count == null || count < 0
                ? new Figure(name, "unknown", null)
                : new Figure(name, Format.count(count), count.doubleValue());
    }

    private static String difference(Figure first, Figure second) {
        Double a = first.number();
        Double b = second.number();
        if (a == null || b == null || a.equals(b)) {
            return "";
        }
        return first.name().equals(LONGEST_STALL)
                ? String.format(Locale.ROOT, "%+.1f ms", b - a)
                : String.format(Locale.ROOT, "%+,d", Math.round(b - a));
    }
}
