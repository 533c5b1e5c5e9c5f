package org.naklab.lab.tools.tune.command;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.terminal.runs.MeasuredLine;
import org.naklab.lab.tools.tune.AnytimeInterval;

/** The comparison of settings as one HTML page. */
public final class TunePage {
    private static final double HALF_PX = 80;
    private static final double PERCENT = 100;
    /** The picture spans at least so many margins, so that the margin stays in sight. */
    private static final double LEAST_MARGINS = 2;

    private TunePage() {}

    /**
     * Writes the page.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    public static void write(Path file, List<Comparison> comparisons) {
        Map<String, Object> values = new HashMap<>();
        values.put(
                "title",
                comparisons.stream()
                        .filter(one -> !one.arms().isEmpty())
                        .map(Comparison::name)
                        .collect(Collectors.joining(", ")));
        values.put("measured", MeasuredLine.now());
        values.put(
                "comparisons",
                comparisons.stream()
                        .filter(one -> !one.arms().isEmpty())
                        .map(TunePage::section)
                        .toList());
        List<Map<String, String>> leftOut = comparisons.stream()
                .flatMap(one -> one.leftOut().entrySet().stream())
                .map(entry -> Map.of("name", entry.getKey(), "reason", entry.getValue()))
                .toList();
        values.put("hasLeftOut", !leftOut.isEmpty());
        values.put("leftOut", leftOut);
        Page.write(file, Page.render(TunePage.class, "tune.html", values));
    }

    private static Map<String, Object> section(Comparison comparison) {
        List<TunedArm> arms = comparison.arms();
        double margin = comparison.margin();
        double span = span(margin, arms);
        Map<String, Object> values = new HashMap<>();
        values.put("task", comparison.name());
        values.put("summary", comparison.summary());
        values.put("unit", comparison.metric().unit());
        values.put("reading", comparison.reading());
        values.put("isShare", comparison.metric().isShare());
        values.put("control", arms.get(0).name());
        values.put("answer", comparison.sentence());
        values.put("margin", percent(margin));
        values.put("span", percent(span));
        List<String> figureNames = TunedArm.figureNames(arms);
        values.put("figureNames", figureNames);
        values.put(
                "arms",
                arms.stream()
                        .map(arm -> row(arm, figureNames.size(), margin, span))
                        .toList());
        return values;
    }

    /** The largest effect whose interval is known; one of half or twice the rate at the most, or a wide interval hides the others. */
    private static double span(double margin, List<TunedArm> arms) {
        return arms.stream()
                .map(TunedArm::effect)
                .filter(effect -> effect != null)
                .mapToDouble(effect -> Math.max(Math.abs(effect.low()), Math.abs(effect.high())))
                .map(largest -> Math.min(1, largest))
                .reduce(LEAST_MARGINS * margin, Math::max);
    }

    private static Map<String, Object> row(TunedArm arm, int figures, double margin, double span) {
        AnytimeInterval effect = arm.effect();
        Map<String, Object> row = new HashMap<>();
        row.put("name", arm.name());
        row.put("verdict", arm.answer() == null ? "" : arm.answer().label());
        row.put("class", arm.answer() == null ? "" : arm.answer().meaning().style());
        row.put("hasEffect", effect != null);
        row.put("effect", arm.effectText());
        row.put("marginLow", pixels(position(-margin, span)));
        row.put("marginWidth", pixels(position(margin, span) - position(-margin, span)));
        if (effect != null) {
            double low = position(effect.low(), span);
            row.put("low", pixels(low));
            row.put("width", pixels(position(effect.high(), span) - low));
            row.put("mean", pixels(position(effect.mean(), span)));
        }
        row.put("runs", arm.runsText());
        row.put("median", arm.medianText());
        row.put(
                "figures",
                arm.figures().isEmpty()
                        ? Collections.nCopies(figures, "")
                        : arm.figures().stream()
                                .map(figure -> Format.count(Math.round(figure.value())))
                                .toList());
        row.put("memory", arm.memoryText());
        row.put("huge", arm.hugeText());
        row.put("start", arm.startText());
        row.put("noLongerDone", arm.noLongerDone());
        row.put("failures", arm.tries().failures());
        row.put("settings", arm.settings().isEmpty() ? "none" : String.join(" ", arm.settings()));
        row.put("proof", arm.proof().inEffect());
        row.put("missing", arm.proof().missing());
        return row;
    }

    private static double position(double effect, double span) {
        return HALF_PX + HALF_PX * Math.max(-1, Math.min(1, effect / span));
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * PERCENT);
    }
}
