package org.naklab.lab.runs.calendar;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.runs.history.Comparison;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.RunColour;
import org.naklab.lab.runs.history.RunFigures;
import org.naklab.lab.runs.history.RunMark;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.runs.page.Page;

/** The calendar as one HTML page. */
public final class CalendarPage {
    /** Runs that the page shows, the latest ones: so many that a browser and a reader cope with it. */
    public static final int MAX_RUNS = 1_000;

    private static final int MAX_LATEST = 10;

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Those that a receiver can have. */
    private static final List<RunColour> COLOURS = List.of(RunColour.BLUE, RunColour.YELLOW, RunColour.RED);

    private final Path file;
    private final List<RunRow> runs;
    private final long earlier;
    private final List<KeptPage> pages;
    private final IdentityHashMap<RunRow, Integer> places = new IdentityHashMap<>();

    private CalendarPage(Path file, History.Latest latest, List<KeptPage> pages) {
        this.file = file.toAbsolutePath().normalize();
        runs = latest.runs();
        earlier = latest.total() - runs.size();
        this.pages = pages;
        for (int i = 0; i < runs.size(); i++) {
            places.put(runs.get(i), i);
        }
    }

    /** Returns the place of a run among the data of the page. */
    private String place(RunRow run) {
        return String.valueOf(places.get(run));
    }

    private static String time(String startedUtc) {
        return startedUtc.replace('T', ' ').replaceFirst("\\.\\d+Z$", "");
    }

    /**
     * Writes it.
     *
     * @param pages of tools, which it links
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    public static void write(Path file, History.Latest runs, List<KeptPage> pages, Instant now) {
        Page.write(file, new CalendarPage(file, runs, pages).text(List.of(), false, now));
    }

    /**
     * Returns the page of a server, which shows the runs that go on and can be loaded again.
     *
     * @param file the links are as from there
     * @param pages of tools, which it links
     */
    public static String served(
            Path file, History.Latest runs, List<RunningRun> running, List<KeptPage> pages, Instant now) {
        return new CalendarPage(file, runs, pages).text(running, true, now);
    }

    private String text(List<RunningRun> running, boolean isServed, Instant now) {
        Calendar<RunRow> calendar = Calendar.ofRuns(runs);
        List<Map<String, Object>> newestFirst = runs.stream()
                .sorted(Comparator.comparing(RunRow::startedUtc).reversed())
                .map(this::row)
                .toList();
        Optional<Map<String, Object>> newest = newestFirst.stream()
                .filter(run -> Boolean.TRUE.equals(run.get("linked")))
                .findFirst();
        return Page.render(
                CalendarPage.class,
                "calendar.html",
                Map.ofEntries(
                        Map.entry("written", MINUTE.format(now)),
                        Map.entry(
                                "runs",
                                (earlier == 0 ? "" : "The latest ")
                                        + counted(runs.size())
                                        + (earlier == 0 ? "" : " of " + Format.count(earlier + runs.size()))),
                        Map.entry(
                                "marks",
                                Arrays.stream(RunMark.values())
                                        .map(CalendarPage::key)
                                        .toList()),
                        Map.entry(
                                "colours",
                                COLOURS.stream()
                                        .map(colour -> Map.of("colour", colour.label(), "meaning", colour.meaning()))
                                        .toList()),
                        Map.entry("none", runs.isEmpty()),
                        Map.entry(
                                "latest", newestFirst.stream().limit(MAX_LATEST).toList()),
                        Map.entry("hasNewest", newest.isPresent()),
                        Map.entry("newest", newest.orElse(Map.of())),
                        Map.entry("hasPages", !pages.isEmpty()),
                        Map.entry("pages", pages.stream().map(this::page).toList()),
                        Map.entry("served", isServed),
                        Map.entry("isRunning", !running.isEmpty()),
                        Map.entry(
                                "running",
                                running.stream().map(run -> running(run, now)).toList()),
                        Map.entry(
                                "sections",
                                calendar.sections().stream().map(this::section).toList()),
                        Map.entry("data", Page.script(data())),
                        Map.entry("script", Page.resource(CalendarPage.class, "calendar.js"))));
    }

    private Map<String, Object> page(KeptPage page) {
        return Map.of(
                "tool", page.tool(),
                "subject", page.subject(),
                "time", time(page.startedUtc()),
                "link", Page.link(file, page.file().toAbsolutePath().normalize()));
    }

    private static Map<String, Object> running(RunningRun run, Instant now) {
        return Map.of(
                "scenario", run.runCase().scenario(),
                "remedy", remedy(run.runCase().remedy()),
                "seed", String.valueOf(run.runCase().seed()),
                "live", run.live() == null ? "" : run.live(),
                "isLive", run.live() != null,
                "since", time(run.startedUtc()),
                "length", length(run.startedUtc(), now));
    }

    private static String length(String startedUtc, Instant now) {
        try {
            return "for "
                    + Math.max(
                            0, Duration.between(Instant.parse(startedUtc), now).toSeconds()) + " s";
        } catch (DateTimeParseException e) {
            return "for an unknown time: its file has no time of its begin";
        }
    }

    /** Returns what the page's script needs to filter and to compare the runs: by their places in the list. */
    private Map<String, Object> data() {
        return Map.of(
                "names",
                runs.isEmpty()
                        ? List.of()
                        : Comparison.figures(runs.get(0)).stream()
                                .map(Comparison.Figure::name)
                                .toList(),
                "times",
                names(Comparison.Figure::isTime),
                "shares",
                names(Comparison.Figure::isShare),
                "runs",
                runs.stream().map(CalendarPage::dataOf).toList());
    }

    private List<String> names(Predicate<Comparison.Figure> wanted) {
        return runs.stream()
                .flatMap(run -> Comparison.figures(run).stream())
                .filter(wanted)
                .map(Comparison.Figure::name)
                .distinct()
                .toList();
    }

    private static Map<String, Object> dataOf(RunRow run) {
        List<Comparison.Figure> figures = Comparison.figures(run);
        return Map.of(
                "name", run.name(),
                "scenario", run.runCase().scenario(),
                "mark", run.mark().label(),
                "words",
                        String.join(
                                " ",
                                remedy(run.runCase().remedy()),
                                run.finding().diagnosis(),
                                run.name()),
                "texts", figures.stream().map(Comparison.Figure::text).toList(),
                "numbers", figures.stream().map(Comparison.Figure::number).toList());
    }

    private Map<String, Object> section(Calendar.Section<RunRow> section) {
        return Map.of(
                "scenario",
                section.scenario(),
                "remedies",
                IntStream.range(0, section.remedies().size())
                        .mapToObj(i -> Map.of(
                                "name",
                                remedy(section.remedies().get(i)),
                                "sum",
                                sum(section, i),
                                "trend",
                                StallTrend.of(runs(section, i))))
                        .toList(),
                "days",
                section.days().stream().map(this::day).toList(),
                "rows",
                section.days().stream()
                        .flatMap(day -> day.cells().stream())
                        .flatMap(cell -> cell.stream())
                        .sorted(Comparator.comparing(RunRow::startedUtc).reversed())
                        .map(this::row)
                        .toList());
    }

    private static String remedy(String name) {
        return name.equals("none") ? "no remedy" : name;
    }

    private static List<RunRow> runs(Calendar.Section<RunRow> section, int remedy) {
        return section.days().stream()
                .flatMap(day -> day.cells().get(remedy).stream())
                .toList();
    }

    /** Returns what the runs of a remedy proved; those without a verdict count for nothing. */
    private static String sum(Calendar.Section<RunRow> section, int remedy) {
        List<RunRow> all = runs(section, remedy);
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
                Map.entry("place", place(run)),
                Map.entry("scenario", run.runCase().scenario()),
                Map.entry("time", time(run.startedUtc())),
                Map.entry("remedy", remedy(run.runCase().remedy())),
                Map.entry("seed", String.valueOf(run.runCase().seed())),
                Map.entry("mark", run.mark().label()),
                Map.entry("verdict", run.finding().verdict()),
                Map.entry("diagnosis", run.finding().diagnosis()),
                Map.entry("stall", figures.stalls() == 0 ? "none" : Format.milliseconds(figures.longestStallMs())),
                Map.entry(
                        "naks",
                        figures.traffic().serviceNaks() == null
                                ? "unknown"
                                : Format.count(figures.traffic().serviceNaks())),
                Map.entry("linked", !link.isEmpty()),
                Map.entry("link", link),
                Map.entry("film", link.replaceFirst("report\\.html$", "film.html")),
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

    private Map<String, Object> day(Calendar.Day<RunRow> day) {
        return Map.of(
                "day", day.day(), "cells", day.cells().stream().map(this::cell).toList());
    }

    private Map<String, Object> cell(List<RunRow> cell) {
        return Map.of("runs", cell.stream().map(this::run).toList());
    }

    private Map<String, Object> run(RunRow run) {
        RunFigures figures = run.figures();
        String link = link(run);
        String told = run.startedUtc() + "  seed " + run.runCase().seed() + "  "
                + run.runCase().fidelity()
                + "\nverdict " + run.finding().verdict() + ", diagnosis "
                + run.finding().diagnosis() + reason(run) + "\n"
                + Format.count(figures.traffic().naks()) + " NAKs, "
                + Format.count(figures.harm().datagramsDropped()) + " drops, "
                + figures.stalls() + " stalls, longest " + Format.milliseconds(figures.longestStallMs())
                + run.receivers().stream()
                        .map(receiver -> "\n" + receiver.name() + ": "
                                + receiver.colour().meaning())
                        .collect(Collectors.joining());
        return Map.of(
                "place",
                place(run),
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
