package org.naklab.lab.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.naklab.lab.report.Report;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.terminal.runs.MeasuredLine;

/** The result of {@code confusion} as one HTML page: what was injected against what was diagnosed, and each attempt. */
final class ConfusionPage {
    private static final int MAX_ATTEMPTS = 5_000;

    private ConfusionPage() {}

    /**
     * One run of the experiment.
     *
     * @param injected the cause
     * @param isRight whether the diagnosis counts as right
     * @param isCounted whether the attempt counts; if not, it was repeated
     * @param directory of the run
     */
    record Attempt(
            String injected,
            long seed,
            String diagnosed,
            String confidence,
            String verdict,
            boolean isRight,
            boolean isCounted,
            Path directory) {}

    /**
     * Writes the page.
     *
     * @param attempts in the order in which they were run
     * @param leftOut causes that could not be injected here, with the reason
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, List<Attempt> attempts, Map<String, String> leftOut) {
        List<Attempt> counted = attempts.stream().filter(Attempt::isCounted).toList();
        List<String> injected =
                counted.stream().map(Attempt::injected).distinct().toList();
        List<String> columns = Stream.concat(
                        injected.stream(),
                        counted.stream().map(Attempt::diagnosed).distinct().sorted())
                .distinct()
                .toList();
        long right = counted.stream().filter(Attempt::isRight).count();
        Map<String, Object> values = new HashMap<>();
        values.put(
                "answer",
                counted.isEmpty()
                        ? "No run counted."
                        : right + " of " + counted.size() + " runs were diagnosed as the injected cause.");
        values.put("measured", MeasuredLine.now());
        values.put("columns", columns);
        values.put(
                "rows",
                injected.stream()
                        .map(cause -> Map.of("injected", cause, "cells", cells(cause, columns, counted)))
                        .toList());
        values.put("hasLeftOut", !leftOut.isEmpty());
        values.put(
                "leftOut",
                new TreeMap<>(leftOut)
                        .entrySet().stream()
                                .map(each -> Map.of("cause", each.getKey(), "reason", each.getValue()))
                                .toList());
        Path page = file.toAbsolutePath().normalize();
        values.put(
                "attempts",
                attempts.stream()
                        .limit(MAX_ATTEMPTS)
                        .map(each -> row(page, each))
                        .toList());
        Page.write(file, Page.render(ConfusionPage.class, "confusion.html", values));
    }

    private static List<Map<String, Object>> cells(String injected, List<String> columns, List<Attempt> counted) {
        return columns.stream()
                .map(diagnosed -> cell(
                        injected,
                        diagnosed,
                        counted.stream()
                                .filter(each -> each.injected().equals(injected)
                                        && each.diagnosed().equals(diagnosed))
                                .toList()))
                .toList();
    }

    private static Map<String, Object> cell(String injected, String diagnosed, List<Attempt> attempts) {
        boolean isRight = attempts.stream().allMatch(Attempt::isRight);
        String told =
                attempts.isEmpty() ? "" : attempts.size() + " runs with " + injected + " diagnosed as " + diagnosed;
        return Map.of(
                "count",
                attempts.isEmpty() ? "" : attempts.size() + (isRight ? "" : " !"),
                "class",
                attempts.isEmpty() ? "" : isRight ? "hit" : "miss",
                "told",
                told);
    }

    private static Map<String, Object> row(Path page, Attempt attempt) {
        Path report = Report.of(attempt.directory().toAbsolutePath().normalize());
        boolean isLinked = Files.isRegularFile(report);
        Map<String, Object> row = new HashMap<>();
        row.put("injected", attempt.injected());
        row.put("seed", String.valueOf(attempt.seed()));
        row.put("diagnosed", attempt.diagnosed());
        row.put("confidence", attempt.confidence());
        row.put("verdict", attempt.verdict());
        row.put("right", attempt.isRight());
        row.put("class", attempt.isRight() ? "good" : "bad");
        row.put("counted", attempt.isCounted());
        row.put("name", String.valueOf(attempt.directory().getFileName()));
        row.put("linked", isLinked);
        row.put("link", isLinked ? Page.link(page, report) : "");
        return row;
    }
}
