package org.naklab.lab.runs.history;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.page.Page;

/** The calendar as one HTML page. */
public final class CalendarPage {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path file;

    private CalendarPage(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    /**
     * Writes it.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    public static void write(Path file, List<RunRow> runs, Instant now) {
        Page.write(file, text(file, runs, now));
    }

    /** The page's text, its links as from a file there. */
    public static String text(Path file, List<RunRow> runs, Instant now) {
        return new CalendarPage(file).text(runs, now);
    }

    private String text(List<RunRow> runs, Instant now) {
        Calendar calendar = Calendar.of(runs);
        return Page.render(
                CalendarPage.class,
                "calendar.html",
                Map.of(
                        "written", MINUTE.format(now),
                        "runs", counted(runs.size()),
                        "colours",
                                Arrays.stream(RunColour.values())
                                        .map(CalendarPage::key)
                                        .toList(),
                        "none", runs.isEmpty(),
                        "sections",
                                calendar.sections().stream().map(this::section).toList()));
    }

    private Map<String, Object> section(Calendar.Section section) {
        return Map.of(
                "scenario",
                section.scenario(),
                "remedies",
                IntStream.range(0, section.remedies().size())
                        .mapToObj(i -> Map.of("name", section.remedies().get(i), "sum", sum(section, i)))
                        .toList(),
                "days",
                section.days().stream().map(this::day).toList());
    }

    /** Returns the number of runs of a remedy, and how many of them sent a NAK. */
    private static String sum(Calendar.Section section, int remedy) {
        List<CalendarCell> cells =
                section.days().stream().map(day -> day.cells().get(remedy)).toList();
        int runs = cells.stream().mapToInt(cell -> cell.runs().size()).sum();
        long red = cells.stream().mapToLong(cell -> cell.count(RunColour.RED)).sum();
        return counted(runs) + ", " + (red == 0 ? "none" : Format.count(red)) + " with a NAK";
    }

    private static String counted(int runs) {
        return Format.count(runs) + (runs == 1 ? " run" : " runs");
    }

    private static Map<String, Object> key(RunColour colour) {
        return Map.of("colour", colour.label(), "letter", String.valueOf(colour.letter()), "meaning", colour.meaning());
    }

    private Map<String, Object> day(Calendar.Day day) {
        return Map.of(
                "day", day.day(), "cells", day.cells().stream().map(this::cell).toList());
    }

    private Map<String, Object> cell(CalendarCell cell) {
        return Map.of("runs", cell.runs().stream().map(this::run).toList());
    }

    private Map<String, Object> run(RunRow run) {
        RunFigures figures = run.figures();
        String link = link(run);
        String told = run.startedUtc() + "  seed " + run.runCase().seed() + "  "
                + run.runCase().fidelity()
                + "\nverdict " + run.finding().verdict() + ", diagnosis "
                + run.finding().diagnosis() + reason(run) + "\n"
                + Format.count(figures.naks()) + " NAKs, " + Format.count(figures.datagramsDropped()) + " drops, "
                + figures.stalls() + " stalls, longest " + Format.milliseconds(figures.longestStallMs());
        return Map.of(
                "colour",
                run.colour().label(),
                "letter",
                String.valueOf(run.colour().letter()),
                "told",
                told,
                "doubtful",
                run.finding().verdict().equals("unknown"),
                "linked",
                !link.isEmpty(),
                "link",
                link);
    }

    private static String reason(RunRow run) {
        return run.finding().reason() == null ? "" : "\n" + run.finding().reason();
    }

    /** Relative, so that page and runs can move together; empty where there is no report. */
    private String link(RunRow run) {
        Path report;
        try {
            report = Path.of(run.runDirectory()).resolve("report.html");
        } catch (InvalidPathException ofAnotherMachine) {
            return "";
        }
        Path here = file.getParent();
        if (here == null || !Files.exists(report)) {
            return "";
        }
        return StreamSupport.stream(here.relativize(report).spliterator(), false)
                .map(name -> URLEncoder.encode(name.toString(), StandardCharsets.UTF_8)
                        .replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
