package org.naklab.lab.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.runs.page.Page;

/** The links of a report, all relative to its file: calendar, the runs of the same scenario before and after it, and the run's files. */
final class Links {
    /** The files of a run that a reader may want; the dashboard serves the same. */
    static final List<String> DOWNLOADS = List.of(
            "run.json",
            "diagnosis.json",
            "timeline.jsonl",
            "samples.csv.gz",
            "fault-stacks.json",
            "latency.json",
            "window-timeline.jsonl",
            "window-samples.csv.gz",
            TraceFile.NAME,
            TraceSummary.NAME,
            "window.jfr");

    /** Below the directory of all runs. */
    static final String CALENDAR = "index.html";

    /** What stands in a report until the next run of the scenario has one. */
    private static final String NO_NEXT = "<!--next run-->";

    private static final String RUN_NAME = "\\d{4}-\\d{2}-\\d{2}T.*";

    private final Path directory;
    private final Path file;

    /** @param file of the report */
    Links(Path directory, Path file) {
        this.directory = directory.toAbsolutePath().normalize();
        this.file = file.toAbsolutePath().normalize();
    }

    Map<String, Object> values() {
        Optional<Path> runs = Optional.ofNullable(directory.getParent()).map(Path::getParent);
        boolean isAmongRuns = runs.isPresent() && isRun(directory);
        Optional<Path> previous = neighbour(-1);
        Optional<Path> next = neighbour(1);
        Map<String, Object> values = new HashMap<>();
        values.put("calendarLink", isAmongRuns ? link(runs.orElseThrow().resolve(CALENDAR)) : "");
        values.put("hasCalendar", isAmongRuns);
        values.put("previousLink", previous.map(run -> link(Report.of(run))).orElse(""));
        values.put("hasPrevious", previous.isPresent());
        values.put("nextLink", next.map(this::nextLink).orElse(NO_NEXT));
        values.put(
                "downloads",
                DOWNLOADS.stream()
                        .filter(name -> Files.isRegularFile(directory.resolve(name)))
                        .map(name -> Map.of("name", name, "link", link(directory.resolve(name))))
                        .toList());
        return values;
    }

    /** Lets the report of the previous run, if there is one without a link, lead to this one. */
    void joinPrevious() {
        neighbour(-1).ifPresent(run -> {
            Path previous = Report.of(run);
            try {
                String page = Files.readString(previous);
                if (page.contains(NO_NEXT)) {
                    OutputFile.replace(previous, page.replace(NO_NEXT, new Links(run, previous).nextLink(directory)));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String nextLink(Path run) {
        return "<a rel=\"next\" href=\"" + link(Report.of(run)) + "\">next run</a>";
    }

    /** Returns the run directly before (-1) or after (1) this one that has a report; names begin with the time. */
    private Optional<Path> neighbour(int step) {
        Path parent = directory.getParent();
        if (parent == null || !isRun(directory)) {
            return Optional.empty();
        }
        try (Stream<Path> siblings = Files.list(parent)) {
            Stream<Path> others = siblings.filter(Links::isRun)
                    .filter(run -> Integer.signum(name(run).compareTo(name(directory))) == step)
                    .filter(run -> Files.isRegularFile(Report.of(run)))
                    .sorted((one, other) -> step * name(one).compareTo(name(other)));
            return others.findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRun(Path run) {
        return !Files.isSymbolicLink(run) && name(run).matches(RUN_NAME);
    }

    private static String name(Path run) {
        Path name = run.getFileName();
        return name == null ? "" : name.toString();
    }

    private String link(Path target) {
        return Page.link(file, target);
    }
}
