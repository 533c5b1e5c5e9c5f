package org.naklab.lab.runs.calendar;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.naklab.lab.runs.history.RunRow;

/**
 * Runs by scenario, day and remedy.
 *
 * @param sections one a scenario, by name
 */
public record Calendar(List<Section> sections) {
    /**
     * The runs of one scenario.
     *
     * @param remedies the columns
     * @param days the rows, the latest first
     */
    public record Section(String scenario, List<String> remedies, List<Day> days) {}

    /** A day's cells, one for each of the section's remedies. */
    public record Day(String day, List<CalendarCell> cells) {}

    public static Calendar of(List<RunRow> runs) {
        Map<String, List<RunRow>> byScenario = group(runs, run -> run.runCase().scenario());
        return new Calendar(byScenario.entrySet().stream()
                .map(scenario -> section(scenario.getKey(), scenario.getValue()))
                .toList());
    }

    private static Section section(String scenario, List<RunRow> runs) {
        List<String> remedies = List.copyOf(
                new TreeSet<>(runs.stream().map(run -> run.runCase().remedy()).toList()));
        List<String> sorted = remedies.stream()
                .sorted(Comparator.comparing(remedy -> !remedy.equals("none")))
                .toList();
        TreeMap<String, List<RunRow>> byDay = group(runs, RunRow::day);
        return new Section(
                scenario,
                sorted,
                byDay.descendingMap().entrySet().stream()
                        .map(day -> new Day(day.getKey(), cells(day.getValue(), sorted)))
                        .toList());
    }

    private static List<CalendarCell> cells(List<RunRow> runs, List<String> remedies) {
        Map<String, List<RunRow>> byRemedy = group(runs, run -> run.runCase().remedy());
        return remedies.stream()
                .map(remedy -> new CalendarCell(byRemedy.getOrDefault(remedy, List.of())))
                .toList();
    }

    private static TreeMap<String, List<RunRow>> group(List<RunRow> runs, Function<RunRow, String> by) {
        return runs.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.toList()));
    }
}
