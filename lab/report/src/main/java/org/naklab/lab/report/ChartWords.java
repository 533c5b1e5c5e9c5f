package org.naklab.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;

/** The figures of a chart as a sentence: for a screen reader, the picture itself says nothing. */
final class ChartWords {
    private ChartWords() {}

    static String of(ChartAxis left, ChartAxis right, List<ChartSeries> series) {
        return series.stream()
                .map(each -> of(each, each.right() ? right.unit() : left.unit()))
                .collect(Collectors.joining("; "));
    }

    private static String of(ChartSeries series, String unit) {
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
                / 1e6;
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
