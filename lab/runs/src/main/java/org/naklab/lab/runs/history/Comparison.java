package org.naklab.lab.runs.history;

import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;

/**
 * Two runs beside each other.
 *
 * @param lines one a figure
 */
public record Comparison(RunRow first, RunRow second, List<Line> lines) {
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

    public static Comparison of(RunRow first, RunRow second) {
        RunFigures a = first.figures();
        RunFigures b = second.figures();
        return new Comparison(
                first,
                second,
                List.of(
                        text(
                                "scenario",
                                first.runCase().scenario(),
                                second.runCase().scenario()),
                        text(
                                "fidelity",
                                first.runCase().fidelity(),
                                second.runCase().fidelity()),
                        text(
                                "remedy",
                                first.runCase().remedy(),
                                second.runCase().remedy()),
                        text(
                                "profile",
                                first.runCase().profile(),
                                second.runCase().profile()),
                        text(
                                "seed",
                                String.valueOf(first.runCase().seed()),
                                String.valueOf(second.runCase().seed())),
                        text("started (UTC)", first.startedUtc(), second.startedUtc()),
                        text("host", host(first), host(second)),
                        text(
                                "kernel",
                                first.hostFacts().kernel(),
                                second.hostFacts().kernel()),
                        text("JDK", first.hostFacts().jdk(), second.hostFacts().jdk()),
                        text(
                                "verdict",
                                first.finding().verdict(),
                                second.finding().verdict()),
                        text("diagnosis", diagnosis(first), diagnosis(second)),
                        text("colour", first.colour().label(), second.colour().label()),
                        count("stalls", a.stalls(), b.stalls()),
                        milliseconds(a.longestStallMs(), b.longestStallMs()),
                        count("NAKs", a.naks(), b.naks()),
                        count("NAKs of the service", own(a), own(b)),
                        count("datagrams dropped", a.datagramsDropped(), b.datagramsDropped()),
                        count("retransmits", a.retransmits(), b.retransmits()),
                        count("blocked sends", a.blockedSends(), b.blockedSends()),
                        count("deepest socket, bytes", a.maxSocketDepthBytes(), b.maxSocketDepthBytes()),
                        count("messages published", a.messages(), b.messages())));
    }

    private static String host(RunRow run) {
        HostFacts facts = run.hostFacts();
        return run.host() + ", " + facts.cores() + " x " + facts.processor();
    }

    private static String diagnosis(RunRow run) {
        String confidence = run.finding().confidence();
        return run.finding().diagnosis() + (confidence == null ? "" : ", " + confidence);
    }

    /** A last word that is missing reads as -1. */
    private static long own(RunFigures figures) {
        Long own = figures.serviceNaks();
        return own == null ? -1 : own;
    }

    private static Line text(String figure, String first, String second) {
        return new Line(figure, first, second, "");
    }

    private static Line count(String figure, long first, long second) {
        return new Line(figure, shown(first), shown(second), first == second ? "" : signed(second - first));
    }

    private static String shown(long count) {
        return count < 0 ? "unknown" : Format.count(count);
    }

    private static String signed(long difference) {
        return String.format(Locale.ROOT, "%+,d", difference);
    }

    private static Line milliseconds(double first, double second) {
        String difference = first == second ? "" : String.format(Locale.ROOT, "%+.1f ms", second - first);
        return new Line("longest stall", Format.milliseconds(first), Format.milliseconds(second), difference);
    }
}
