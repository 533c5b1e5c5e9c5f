package org.naklab.lab.tools.jitter.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.report.jvm.SafepointView;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.reason.Reason;

/** A measurement of the meter as one HTML page. */
final class JitterPage {
    private static final double LEFT = 104;
    private static final double WIDTH = 786;
    private static final double TOP = 10;
    private static final double HEIGHT = 255;
    private static final double PHASE_TOP = 10;
    private static final double PHASE_HEIGHT = 90;
    private static final double PHASE_STEP = 42;
    private static final int NINES = 6;
    private static final int STEPS_PER_NINE = 20;
    /** Clocks cannot tell less apart. */
    private static final double LEAST_US = 0.1;

    private final JitterReport report;
    private final double lowest;
    private final double highest;

    private JitterPage(JitterReport report) {
        this.report = report;
        lowest = Math.floor(Math.log10(Math.max(LEAST_US, report.histogram().getMinValue() / Units.NS_PER_US)));
        double most =
                Math.max(report.measured().latencyUs().max(), report.outlying().thresholdUs());
        highest = Math.max(lowest + 1, Math.ceil(Math.log10(most)));
    }

    /**
     * Writes the page.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, JitterReport report) {
        Page.write(file, render(report));
    }

    static String render(JitterReport report) {
        return Page.render(JitterPage.class, "jitter.html", new JitterPage(report).values());
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        JitterReport.Latency latency = report.measured().latencyUs();
        values.put("subject", "JDK " + report.run().java());
        values.put("summary", summary());
        values.put("measured", measured());
        values.put(
                "percentiles",
                "p50 " + us(latency.p50()) + ", p99 " + us(latency.p99()) + ", p99.9 " + us(latency.p999())
                        + ", p99.99 " + us(latency.p9999()) + ", longest " + us(latency.max()));
        values.put(
                "injected",
                report.circumstances().injected() == null
                        ? List.of()
                        : List.of(Map.of("text", injected(report.circumstances().injected()))));
        values.put(
                "notLookedAt",
                report.circumstances().notLookedAt().stream()
                        .map(text -> Map.of("text", text))
                        .toList());
        values.put("rows", rows());
        values.put("columns", columns());
        values.put("limitY", figure(y(report.outlying().thresholdUs())));
        values.put("curve", curve());
        values.put("reasons", reasons());
        values.put(
                "worst",
                report.outlying().worst().stream().map(JitterPage::late).toList());
        values.put("phases", phases());
        values.put("mostInPhase", Format.count(mostInPhase()));
        values.put(
                "safepoints",
                SafepointView.html(report.pauses().safepoints(), "The JVM made no safepoint while it was measured."));
        return values;
    }

    private String summary() {
        return Format.count(report.outlying().outliers()) + " outliers of "
                + us(report.outlying().thresholdUs()) + " and more in "
                + figure(report.run().durationS()) + " s; "
                + Format.count(report.outlying().attributed())
                + " have a reason. Seconds with an outlier: " + report.pauses().secondsWithOutlier() + " of "
                + Math.round(report.run().durationS()) + ".";
    }

    private String measured() {
        return Format.count(report.measured().messages()) + " messages between two threads, one each "
                + us(report.threads().paceUs())
                + ", from " + report.run().beganUtc() + " on, after a warm-up of "
                + figure(report.run().warmUpS()) + " s"
                + (report.run().flags().isEmpty()
                        ? "."
                        : "; flags: " + String.join(" ", report.run().flags()) + ".");
    }

    private static String injected(JitterReport.Injected injected) {
        return "Injected: " + injected.made() + " times " + injected.kind() + " for " + us(injected.lengthUs()) + "; "
                + injected.found() + " found, " + injected.attributed() + " explained, " + injected.named()
                + " by what was injected. Outside of these pauses, "
                + Format.counted(injected.unexplainedBesides(), "outlier") + " without a reason.";
    }

    /** Logarithmic in both directions: each nine of the percentiles is as wide as the one before. */
    private String curve() {
        Histogram histogram = report.histogram();
        return IntStream.rangeClosed(0, NINES * STEPS_PER_NINE)
                .mapToObj(step -> (double) step / STEPS_PER_NINE)
                .map(nines -> figure(x(nines)) + ","
                        + figure(y(histogram.getValueAtPercentile(100 * (1 - Math.pow(10, -nines))) / Units.NS_PER_US)))
                .collect(Collectors.joining(" "));
    }

    private static double x(double nines) {
        return LEFT + WIDTH * nines / NINES;
    }

    private double y(double us) {
        double share = (Math.log10(Math.max(LEAST_US, us)) - lowest) / (highest - lowest);
        return TOP + HEIGHT * (1 - Math.max(0, Math.min(1, share)));
    }

    private List<Map<String, String>> rows() {
        List<Map<String, String>> rows = new ArrayList<>();
        for (double power = lowest; power <= highest; power++) {
            double y = y(Math.pow(10, power));
            rows.add(Map.of("y", figure(y), "textY", figure(y + 4), "label", axisLabel(Math.pow(10, power))));
        }
        return rows;
    }

    /** The unit is in the title of the axis. */
    private static String axisLabel(double us) {
        return us < 1 ? figure(us) : Format.count(Math.round(us));
    }

    private static List<Map<String, String>> columns() {
        return Stream.of("0", "90", "99", "99.9", "99.99", "99.999")
                .map(label ->
                        Map.of("label", label + " %", "x", figure(x(-Math.log10(1 - Double.parseDouble(label) / 100)))))
                .toList();
    }

    private List<Map<String, String>> reasons() {
        double totalUs = report.outlying().reasons().stream()
                .mapToDouble(JitterReport.ReasonSum::totalUs)
                .sum();
        return report.outlying().reasons().stream()
                .map(sum -> Map.of(
                        "reason", sum.reason().label(),
                        "class", sum.reason() == Reason.UNEXPLAINED ? "unexplained" : "bar",
                        "share", figure(100 * sum.totalUs() / totalUs),
                        "count", Format.count(sum.count()),
                        "total", us(sum.totalUs()),
                        "longest", us(sum.longestUs()),
                        "detail", sum.detail()))
                .toList();
    }

    private static Map<String, String> late(JitterReport.Late late) {
        return Map.of(
                "us", us(late.delay().us()),
                "utc", late.when().utc().substring(late.when().utc().indexOf('T') + 1),
                "phase", String.format(Locale.ROOT, "%.0f ms", late.delay().phaseMs()),
                "thread", late.thread(),
                "parts", JitterPrinter.account(late.reason().parts()));
    }

    private long mostInPhase() {
        return report.outlying().phase().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private List<Map<String, String>> phases() {
        long most = mostInPhase();
        List<Map<String, String>> bars = new ArrayList<>();
        for (int i = 0; i < report.outlying().phase().size(); i++) {
            double height =
                    most == 0 ? 0 : PHASE_HEIGHT * report.outlying().phase().get(i) / most;
            bars.add(Map.of(
                    "x", figure(20 + PHASE_STEP * i),
                    "y", figure(PHASE_TOP + PHASE_HEIGHT - height),
                    "height", figure(height),
                    "title", report.outlying().phase().get(i) + " from " + i * 50 + " ms on"));
        }
        return bars;
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }

    private static String us(double us) {
        if (us >= 10 * Units.US_PER_MS) {
            return String.format(Locale.ROOT, "%,.0f ms", us / Units.US_PER_MS);
        }
        return us < 10 ? figure(us) + " us" : String.format(Locale.ROOT, "%,.0f us", us);
    }
}
