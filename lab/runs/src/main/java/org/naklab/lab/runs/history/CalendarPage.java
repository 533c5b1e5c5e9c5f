package org.naklab.lab.runs.history;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.page.Page;

/** The calendar as one HTML page. */
public final class CalendarPage {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Those that a receiver can have. */
    private static final List<RunColour> COLOURS = List.of(RunColour.BLUE, RunColour.YELLOW, RunColour.RED);

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
                        "marks",
                                Arrays.stream(RunMark.values())
                                        .map(CalendarPage::key)
                                        .toList(),
                        "colours",
                                COLOURS.stream()
                                        .map(colour -> Map.of("colour", colour.label(), "meaning", colour.meaning()))
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
                        .mapToObj(i -> Map.of("name", remedy(section.remedies().get(i)), "sum", sum(section, i)))
                        .toList(),
                "days",
                section.days().stream().map(this::day).toList(),
                "rows",
                section.days().stream()
                        .flatMap(day -> day.cells().stream())
                        .flatMap(cell -> cell.runs().stream())
                        .sorted(Comparator.comparing(RunRow::startedUtc).reversed())
                        .map(this::row)
                        .toList());
    }

    private static String remedy(String name) {
        return name.equals("none") ? "no remedy" : name;
    }

    /** Returns what the runs of a remedy proved; those without a verdict count for nothing. */
    private static String sum(Calendar.Section section, int remedy) {
        List<RunRow> all = section.days().stream()
                .flatMap(day -> day.cells().get(remedy).runs().stream())
                .toList();
        List<RunRow> known =
                all.stream().filter(run -> run.mark() != RunMark.UNKNOWN).toList();
        long passed = known.stream().filter(run -> run.mark() == RunMark.PASS).count();
        long withNak =
                known.stream().filter(run -> run.colour() == RunColour.RED).count();
        int unknown = all.size() - known.size();
        return (known.isEmpty()
                        ? "no run with a verdict"
                        : Format.count(passed) + " of " + counted(known.size()) + " passed, NAK in "
                                + Format.count(withNak))
                + (unknown == 0 ? "" : "; " + Format.count(unknown) + " without a verdict");
    }

    /** Returns a run as a row of a table: what the marks tell by their title only. */
    private Map<String, Object> row(RunRow run) {
        RunFigures figures = run.figures();
        String link = link(run);
        return Map.ofEntries(
                Map.entry("time", run.startedUtc().replace('T', ' ').replaceFirst("\\.\\d+Z$", "")),
                Map.entry("remedy", remedy(run.runCase().remedy())),
                Map.entry("seed", String.valueOf(run.runCase().seed())),
                Map.entry("mark", run.mark().label()),
                Map.entry("verdict", run.finding().verdict()),
                Map.entry("diagnosis", run.finding().diagnosis()),
                Map.entry("stall", figures.stalls() == 0 ? "none" : Format.milliseconds(figures.longestStallMs())),
                Map.entry("naks", figures.serviceNaks() == null ? "unknown" : Format.count(figures.serviceNaks())),
                Map.entry("linked", !link.isEmpty()),
                Map.entry("link", link),
                Map.entry(
                        "receivers",
                        run.receivers().stream()
                                .map(receiver -> receiver.name() + " "
                                        + receiver.colour().label())
                                .collect(Collectors.joining(", "))));
    }

    private static Map<String, Object> receiver(RunRow.Receiver receiver) {
        return Map.of(
                "colour",
                receiver.colour().label(),
                "told",
                receiver.name() + ": " + receiver.colour().meaning());
    }

    private static String counted(int runs) {
        return Format.count(runs) + (runs == 1 ? " run" : " runs");
    }

    private static Map<String, Object> key(RunMark mark) {
        return Map.of("mark", mark.label(), "sign", String.valueOf(mark.sign()), "meaning", mark.meaning());
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
                + figures.stalls() + " stalls, longest " + Format.milliseconds(figures.longestStallMs())
                + run.receivers().stream()
                        .map(receiver -> "\n" + receiver.name() + ": "
                                + receiver.colour().meaning())
                        .collect(Collectors.joining());
        return Map.of(
                "mark",
                run.mark().label(),
                "sign",
                String.valueOf(run.mark().sign()),
                "told",
                told,
                "linked",
                !link.isEmpty(),
                "link",
                link,
                "receivers",
                run.receivers().stream().map(CalendarPage::receiver).toList());
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
        return Files.exists(report) ? Page.link(file, report) : "";
    }
}
