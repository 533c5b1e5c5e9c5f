package org.naklab.lab.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.naklab.lab.LabException;
import org.naklab.lab.history.HistoryException;
import org.naklab.lab.history.RunFileReader;
import org.naklab.lab.history.RunRow;
import org.naklab.lab.report.Report;

/**
 * The runs of one directory as they are now, by the files that they left: it may be another machine's directory, mounted where only
 * reading is allowed, so that a history's database is no use. Safe for several threads.
 */
final class RunShelf {
    /** A run's files are written once; what is read is kept. */
    private final Map<Path, RunRow> read = new ConcurrentHashMap<>();

    private final Path runs;

    /** @throws LabException when it is no directory */
    RunShelf(Path runs) {
        if (!Files.isDirectory(runs)) {
            throw new LabException(
                    "no directory of runs: " + runs + " is not there; a run makes it, or --runs names another");
        }
        this.runs = runs.toAbsolutePath().normalize();
    }

    Path directory() {
        return runs;
    }

    /** The runs that have ended, in the order in which they began. */
    List<RunRow> rows() {
        List<RunRow> rows = new ArrayList<>();
        for (Path scenario : directoriesIn(runs)) {
            for (Path run : directoriesIn(scenario)) {
                row(run).ifPresent(rows::add);
            }
        }
        rows.sort(Comparator.comparing(RunRow::startedUtc));
        return rows;
    }

    /** Empty while the run goes on, and for a directory that is none. */
    private Optional<RunRow> row(Path run) {
        RunRow known = read.get(run);
        if (known != null) {
            return Optional.of(known);
        }
        if (!Files.isReadable(run.resolve("run.json"))) {
            return Optional.empty();
        }
        try {
            RunRow row = RunFileReader.read(run).run().in(run);
            read.put(run, row);
            return Optional.of(row);
        } catch (HistoryException e) {
            // Its run is writing it, or was killed while it did: it may be whole when asked for again.
            return Optional.empty();
        }
    }

    /**
     * The report of one run; empty when there is none, or it lies outside of the runs.
     *
     * @param scenario the directory's name, as asked for
     * @param run the same below the scenario's, or {@code latest}
     */
    Optional<Path> report(String scenario, String run) {
        Path report = Report.of(runs.resolve(scenario).resolve(run));
        try {
            return Files.isReadable(report) && report.toRealPath().startsWith(runs.toRealPath())
                    ? Optional.of(report)
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Links such as {@code latest} are other names of what is there already. */
    private static List<Path> directoriesIn(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
