package org.naklab.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;

/**
 * A chart over the time of the run.
 *
 * @param id of its element
 * @param isStrip whether it is low, because it has ticks only
 * @param absent why there is nothing to see; empty when there is
 */
record Chart(
        String id,
        Caption caption,
        boolean isStrip,
        ChartAxis left,
        ChartAxis right,
        List<ChartSeries> series,
        String absent) {
    /**
     * Says what is in it.
     *
     * @param note how to read it
     * @param figures the figures of its series in one sentence, for those who cannot see it
     */
    record Caption(String title, String note, String figures) {}

    Chart {
        series = List.copyOf(series);
    }

    static Chart of(String id, String title, String note, ChartAxis left, ChartAxis right, List<ChartSeries> series) {
        List<ChartSeries> drawn =
                series.stream().filter(each -> !each.x().isEmpty()).toList();
        return new Chart(id, new Caption(title, note, words(left, right, drawn)), false, left, right, drawn, "");
    }

    /** Returns this chart as a low strip. */
    Chart asStrip() {
        return new Chart(id, caption, true, left, right, series, absent);
    }

    /** Returns this chart with the reason why it is empty, if it is. */
    Chart orAbsent(String reason) {
        return new Chart(id, caption, isStrip, left, right, series, series.isEmpty() ? reason : "");
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

    /** Returns the figures of the series as a sentence: for a screen reader, the picture itself says nothing. */
    private static String words(ChartAxis left, ChartAxis right, List<ChartSeries> series) {
        return series.stream()
                .map(each -> words(each, each.right() ? right.unit() : left.unit()))
                .collect(Collectors.joining("; "));
    }

    private static String words(ChartSeries series, String unit) {
        int highest = 0;
        for (int i = 0; i < series.y().size(); i++) {
            highest = series.y().get(i) > series.y().get(highest) ? i : highest;
        }
        String value = inUnit(series.y().get(highest), series.divisor(), unit);
        return switch (series.kind()) {
            case ChartSeries.LIMIT -> series.name() + " " + value;
            case ChartSeries.TICKS -> series.name() + " " + value + " in all";
            default ->
                series.name() + " at most " + value + " at "
                        + String.format(Locale.ROOT, "%.3f s", secondsOf(series, highest));
        };
    }

    private static double secondsOf(ChartSeries series, int index) {
        return series.x().subList(0, index + 1).stream()
                        .mapToLong(Long::longValue)
                        .sum()
                / Units.NS_PER_MS;
    }

    private static String inUnit(long value, long divisor, String unit) {
        return switch (unit) {
            case "bytes", "memory" -> Format.bytes(value);
            case "ms" -> Format.milliseconds((double) value / divisor);
            case "per second" -> Format.bytes(value) + " per second";
            default -> Format.count(value);
        };
    }
}
