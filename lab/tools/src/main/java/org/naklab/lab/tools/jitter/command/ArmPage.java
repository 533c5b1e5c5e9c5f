package org.naklab.lab.tools.jitter.command;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.terminal.runs.MeasuredLine;
import org.naklab.lab.tools.tune.AnytimeInterval;

/** The comparison of settings of the JVM as one HTML page. */
final class ArmPage {
    private static final double WIDTH_PX = 160;

    /** A quarter and four times the percentile of the reference are at the edges. */
    private static final double SPAN = Math.log(4);

    private ArmPage() {}

    /**
     * Writes the page.
     *
     * @param title what is compared
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, String title, List<ArmSummary> arms) {
        Page.write(file, render(title, arms));
    }

    static String render(String title, List<ArmSummary> arms) {
        Map<String, Object> values = new HashMap<>();
        values.put("title", title);
        values.put("measured", MeasuredLine.now());
        values.put("rounds", arms.get(0).tried().rounds());
        values.put("arms", arms.stream().map(ArmPage::row).toList());
        values.put("sentences", arms.stream().map(ArmSummary::sentence).toList());
        return Page.render(ArmPage.class, "arms.html", values);
    }

    private static Map<String, Object> row(ArmSummary arm) {
        Map<String, Object> row = new HashMap<>();
        row.put("jdk", arm.tried().jdk());
        row.put("name", arm.tried().arm());
        row.put(
                "flags",
                arm.tried().flags().isEmpty()
                        ? "none"
                        : String.join(" ", arm.tried().flags()));
        row.put("p99", us(arm.measured().latencyUs().p99()));
        row.put("p999", us(arm.measured().latencyUs().p999()));
        row.put("max", us(arm.measured().latencyUs().max()));
        row.put("periodic", String.format(Locale.ROOT, "%.1f", arm.pauses().periodicPerMinute()));
        row.put("seconds", ArmSummary.share(arm.measured().secondsWithOutlier()));
        row.put("pauses", ArmSummary.share(arm.measured().secondsWithPause()));
        row.putAll(bar("outlier", arm.measured().secondsWithOutlier()));
        row.putAll(bar("pause", arm.measured().secondsWithPause()));
        row.put("effect", arm.against().effectWords());
        row.put(
                "answer",
                arm.tail().answer() == null ? "reference" : arm.tail().answer().label());
        AnytimeInterval shorter = arm.tail().p999Effect();
        row.put("hasEffect", shorter != null);
        if (shorter != null) {
            double low = position(-Math.log1p(shorter.high()));
            row.put("low", figure(low));
            row.put("width", figure(Math.max(1, position(-Math.log1p(shorter.low())) - low)));
            row.put("mean", figure(position(-Math.log1p(shorter.mean()))));
        }
        row.put("longestWay", us(arm.pauses().longestToSafepointUs()));
        row.put("safepoints", arm.operations());
        return row;
    }

    private static Map<String, Object> bar(String name, WilsonInterval share) {
        return Map.of(
                name + "Low", figure(WIDTH_PX * share.low()),
                name + "Width", figure(Math.max(1, WIDTH_PX * (share.high() - share.low()))),
                name + "Share", figure(WIDTH_PX * share.hits() / Math.max(1, share.trials())));
    }

    private static double position(double log) {
        return WIDTH_PX / 2 * (1 + Math.max(-1, Math.min(1, log / SPAN)));
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String us(double us) {
        return String.format(Locale.ROOT, us < 10 ? "%.1f" : "%,.0f", us);
    }
}
