package org.naklab.lab.runs.calendar;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.RunRow;

/**
 * Runs, or numbers of runs, by scenario, day and remedy.
 *
 * @param sections one a scenario, by name
 */
public record Calendar<T>(List<Section<T>> sections) {
    /**
     * The runs of one scenario.
     *
     * @param remedies the columns
     * @param days the rows, the latest first
     */
    public record Section<T>(String scenario, List<String> remedies, List<Day<T>> days) {}

    /** A day's cells, one for each of the section's remedies. */
    public record Day<T>(String day, List<List<T>> cells) {}

    private record Keys<T>(Function<T, String> scenario, Function<T, String> remedy, Function<T, String> day) {}

    /** Returns the calendar of runs; those of a cell stay in their order. */
    static Calendar<RunRow> ofRuns(List<RunRow> runs) {
        return of(
                runs,
                new Keys<>(run -> run.runCase().scenario(), run -> run.runCase().remedy(), RunRow::day));
    }

    /** Returns the calendar of numbers of runs. */
    public static Calendar<History.DayCount> ofCounts(List<History.DayCount> counts) {
        return of(counts, new Keys<>(History.DayCount::scenario, History.DayCount::remedy, History.DayCount::day));
    }

    private static <T> Calendar<T> of(List<T> all, Keys<T> keys) {
        return new Calendar<>(group(all, keys.scenario()).entrySet().stream()
                .map(scenario -> section(scenario.getKey(), scenario.getValue(), keys))
                .toList());
    }

    private static <T> Section<T> section(String scenario, List<T> all, Keys<T> keys) {
        List<String> remedies = all.stream()
                .map(keys.remedy())
                .distinct()
                .sorted(Comparator.comparing((String remedy) -> !remedy.equals("none"))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        return new Section<>(
                scenario,
                remedies,
                group(all, keys.day()).descendingMap().entrySet().stream()
                        .map(day -> new Day<>(day.getKey(), cells(day.getValue(), remedies, keys)))
                        .toList());
    }

    private static <T> List<List<T>> cells(List<T> all, List<String> remedies, Keys<T> keys) {
        Map<String, List<T>> byRemedy = group(all, keys.remedy());
        return remedies.stream()
                .map(remedy -> byRemedy.getOrDefault(remedy, List.of()))
                .toList();
    }

    private static <T> TreeMap<String, List<T>> group(List<T> all, Function<T, String> by) {
        return all.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.toList()));
    }
}
