package org.naklab.lab.report;

import java.util.List;

/**
 * A chart over the time of the run.
 *
 * @param id of its element
 * @param absent why there is nothing to see; empty when there is
 */
record Chart(
        String id,
        String title,
        String note,
        ChartAxis left,
        ChartAxis right,
        List<ChartSeries> series,
        String absent) {
    Chart {
        series = List.copyOf(series);
    }

    static Chart of(String id, String title, String note, ChartAxis left, ChartAxis right, List<ChartSeries> series) {
        List<ChartSeries> drawn =
                series.stream().filter(each -> !each.x().isEmpty()).toList();
        return new Chart(id, title, note, left, right, drawn, "");
    }

    /** Returns this chart with the reason why it is empty, if it is. */
    Chart orAbsent(String reason) {
        return new Chart(id, title, note, left, right, series, series.isEmpty() ? reason : "");
    }
}
