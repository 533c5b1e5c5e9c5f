package org.naklab.lab.runs.calendar;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.history.RunMark;
import org.naklab.lab.runs.history.RunRow;

/** Draws the longest stall of each run of a scenario with one remedy, in the order in which the runs began: a small chart without axes. */
final class StallTrend {
    /** Two points are no trend. */
    private static final int LEAST_RUNS = 3;
    /** The latest runs; more would not be told apart. */
    private static final int MOST_RUNS = 60;

    private static final int HEIGHT_PX = 34;
    private static final int MARGIN_PX = 4;
    private static final int MOST_STEP_PX = 12;
    private static final int MOST_WIDTH_PX = 230;

    private final List<RunRow> runs;
    private final double mostMs;
    private final double stepPx;

    private StallTrend(List<RunRow> runs) {
        this.runs = runs;
        mostMs = runs.stream().mapToDouble(StallTrend::stallMs).max().orElse(0);
        stepPx = Math.min(MOST_STEP_PX, (MOST_WIDTH_PX - 2.0 * MARGIN_PX) / Math.max(1, runs.size() - 1));
    }

    /**
     * Returns the values of the chart for the page's template; empty if the runs have no trend.
     *
     * @param runs in any order; those without a verdict are left out
     */
    static List<Map<String, Object>> of(List<RunRow> runs) {
        List<RunRow> known = runs.stream()
                .filter(run -> run.mark() != RunMark.UNKNOWN)
                .sorted(Comparator.comparing(RunRow::startedUtc))
                .toList();
        List<RunRow> latest = known.subList(Math.max(0, known.size() - MOST_RUNS), known.size());
        return latest.size() < LEAST_RUNS ? List.of() : List.of(new StallTrend(latest).values());
    }

    private Map<String, Object> values() {
        return Map.of(
                "width", pixels(x(runs.size() - 1) + MARGIN_PX),
                "height", String.valueOf(HEIGHT_PX),
                "line",
                        IntStream.range(0, runs.size())
                                .mapToObj(i -> pixels(x(i)) + ',' + pixels(y(runs.get(i))))
                                .collect(Collectors.joining(" ")),
                "points", IntStream.range(0, runs.size()).mapToObj(this::point).toList(),
                "told", told());
    }

    private Map<String, Object> point(int index) {
        RunRow run = runs.get(index);
        return Map.of(
                "x", pixels(x(index)), "y", pixels(y(run)), "mark", run.mark().label());
    }

    /** Says in words what the chart shows. */
    private String told() {
        double leastMs = runs.stream().mapToDouble(StallTrend::stallMs).min().orElse(0);
        return "longest stall in " + Format.count(runs.size()) + " runs: " + Format.milliseconds(leastMs) + " to "
                + Format.milliseconds(mostMs) + ", in the latest "
                + Format.milliseconds(stallMs(runs.get(runs.size() - 1)));
    }

    private double x(int index) {
        return MARGIN_PX + index * stepPx;
    }

    private double y(RunRow run) {
        double share = mostMs == 0 ? 0 : stallMs(run) / mostMs;
        return HEIGHT_PX - MARGIN_PX - share * (HEIGHT_PX - 2 * MARGIN_PX);
    }

    private static double stallMs(RunRow run) {
        return run.figures().stalls() == 0 ? 0 : run.figures().longestStallMs();
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
