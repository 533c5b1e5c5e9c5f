package org.naklab.lab.studies.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.studies.simulation.StormStudy;

/** Draws the traffic of the repair by the size of the group: a line for each trouble, severity and profile; storms have a full dot. Both scales are logarithmic. */
final class StormChart {
    private static final double LEFT = 80;
    private static final double RIGHT = 560;
    private static final double TOP = 25;
    private static final double BOTTOM = 300;
    private static final double LEAST_SHARE = 1e-4;
    private static final List<String> COLOURS = List.of("#2a78c2", "#c25a2a", "#2a9d5b", "#8a4fbf");

    private static final double LABEL_HEIGHT = 12;

    private final List<StormStudy.Row> rows;
    /** Where the labels of the lines are. */
    private final List<Double> labels = new ArrayList<>();

    private final double mostReceivers;
    private final double mostShare;

    StormChart(List<StormStudy.Row> rows) {
        this.rows = List.copyOf(rows);
        mostReceivers =
                rows.stream().mapToDouble(StormStudy.Row::receivers).max().orElse(10);
        double most =
                rows.stream().mapToDouble(StormStudy.Row::peakShareOfFeed).max().orElse(1);
        mostShare = Math.pow(10, Math.ceil(Math.log10(Math.max(1, most))));
    }

    /**
     * Writes the chart as an SVG file.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    void write(Path file) {
        Page.write(file, Page.render(StormChart.class, "storm.svg", values()));
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        values.put("left", pixels(LEFT));
        values.put("right", pixels(RIGHT));
        values.put("top", pixels(TOP));
        values.put("bottom", pixels(BOTTOM));
        values.put("feed", pixels(y(1)));
        values.put("rows", gridRows());
        values.put("columns", gridColumns());
        values.put("lines", lines());
        return values;
    }

    /** A colour for each trouble and profile, and in it a line for each severity. */
    private List<Map<String, Object>> lines() {
        List<Map<String, Object>> lines = new ArrayList<>();
        grouped(rows, StormChart::name).forEach((name, ofColour) -> {
            int index = lines.size();
            String colour = COLOURS.get(index % COLOURS.size());
            lines.add(Map.of(
                    "name",
                    name,
                    "colour",
                    colour,
                    "labelY",
                    pixels(TOP + 12 + 20 * index),
                    "severities",
                    grouped(ofColour, row -> row.severity().label()).values().stream()
                            .map(ofLine -> severity(ofLine, name, colour))
                            .toList()));
        });
        return lines;
    }

    private Map<String, Object> severity(List<StormStudy.Row> ofLine, String name, String colour) {
        StormStudy.Row first = ofLine.get(0);
        String label = first.severity().label();
        return Map.of(
                "points",
                ofLine.stream()
                        .map(row -> pixels(x(row.receivers())) + "," + pixels(y(row.peakShareOfFeed())))
                        .collect(Collectors.joining(" ")),
                "dots",
                ofLine.stream()
                        .map(row -> dot(row, name + ", " + label, colour))
                        .toList(),
                "label",
                first.peakPerSecond() == 0 ? "" : label,
                "labelX",
                pixels(x(first.receivers()) - 10),
                "labelY",
                pixels(free(y(first.peakShareOfFeed()) + 4)));
    }

    /** Returns the place of a label, moved down until it covers no other one. */
    private double free(double wanted) {
        double y = wanted;
        while (overlaps(y)) {
            y += 1;
        }
        labels.add(y);
        return y;
    }

    private boolean overlaps(double y) {
        return labels.stream().anyMatch(other -> Math.abs(other - y) < LABEL_HEIGHT);
    }

    private static String name(StormStudy.Row row) {
        return row.severity().trouble().label() + ", " + row.profileLabel();
    }

    private static Map<String, List<StormStudy.Row>> grouped(
            List<StormStudy.Row> rows, Function<StormStudy.Row, String> key) {
        return rows.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    private Map<String, String> dot(StormStudy.Row row, String name, String colour) {
        boolean isStorm = row.figures().hasStorm();
        return Map.of(
                "x",
                pixels(x(row.receivers())),
                "y",
                pixels(y(row.peakShareOfFeed())),
                "fill",
                isStorm ? colour : "#fff",
                "title",
                name + ", " + Format.counted(row.receivers(), "receiver") + ": "
                        + String.format(Locale.ROOT, "%.3f of the feed", row.peakShareOfFeed())
                        + (isStorm ? ", storm" : ""));
    }

    private List<Map<String, String>> gridRows() {
        List<Map<String, String>> lines = new ArrayList<>();
        for (double share = LEAST_SHARE; share <= mostShare * 1.01; share *= 10) {
            lines.add(Map.of(
                    "y",
                    pixels(y(share)),
                    "textY",
                    pixels(y(share) + 4),
                    "label",
                    String.format(Locale.ROOT, "%.4g", share).replaceFirst("\\.?0+$", "")));
        }
        return lines;
    }

    private List<Map<String, String>> gridColumns() {
        List<Map<String, String>> lines = new ArrayList<>();
        for (int receivers = 1; receivers <= mostReceivers; receivers *= 10) {
            lines.add(Map.of("x", pixels(x(receivers)), "label", Format.count(receivers)));
        }
        return lines;
    }

    private double x(double receivers) {
        return LEFT + (RIGHT - LEFT) * Math.log10(receivers) / Math.max(1, Math.log10(mostReceivers));
    }

    private double y(double share) {
        double decades = Math.log10(mostShare / LEAST_SHARE);
        return BOTTOM - (BOTTOM - TOP) * Math.log10(Math.max(LEAST_SHARE, share) / LEAST_SHARE) / decades;
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
