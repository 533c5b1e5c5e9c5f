package org.naklab.lab.report;

import java.util.List;

/**
 * A chart over the time of the run.
 *
 * @param id of its element
 * @param note how to read it
 * @param figures the figures of its series in one sentence, for those who cannot see it
 * @param isStrip whether it is low, because it has ticks only
 * @param absent why there is nothing to see; empty when there is
 */
record Chart(
        String id,
        String title,
        String note,
        String figures,
        boolean isStrip,
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
        return new Chart(id, title, note, ChartWords.of(left, right, drawn), false, left, right, drawn, "");
    }

    /** Returns this chart as a low strip. */
    Chart asStrip() {
        return new Chart(id, title, note, figures, true, left, right, series, absent);
    }

    /** Returns this chart with the reason why it is empty, if it is. */
    Chart orAbsent(String reason) {
        return new Chart(id, title, note, figures, isStrip, left, right, series, series.isEmpty() ? reason : "");
    }

    boolean isDrawn() {
        return absent.isEmpty();
    }

    /** Returns whether anything happens in it: a chart whose values are all 0 tells nothing. */
    boolean isTelling() {
        return series.stream()
                .filter(each -> !each.kind().equals(ChartSeries.LIMIT))
                .anyMatch(each -> each.y().stream().anyMatch(value -> value != 0));
    }
}
