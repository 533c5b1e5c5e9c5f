package org.naklab.lab.report.dashboard;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.runs.calendar.RunningRun;
import org.naklab.lab.runs.history.HistoryException;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.runs.history.StartedRun;

/**
 * The runs of one directory as they are now, by the files that they left: it may be another machine's directory, mounted where only
 * reading is allowed, so that a history's database is no use. Safe for several threads.
 */
final class RunCatalog {
    /** The directory of campaigns, each with a directory for each seed that has evidence. */
    private static final String CAMPAIGNS = "campaigns";

    private final Path runs;
    private final ServeLimits limits;
    private Map<Path, Known> read = Map.of();

    /** A row, and the file that it was read from: another file of the same name is another run. */
    private record Known(Object fileKey, long size, FileTime modified, RunRow row) {
        boolean isOf(BasicFileAttributes file) {
            return String.valueOf(file.fileKey()).equals(fileKey)
                    && file.size() == size
                    && file.lastModifiedTime().equals(modified);
        }
    }

    /** @throws LabException when it is no directory */
    RunCatalog(Path runs, ServeLimits limits) {
        if (!Files.isDirectory(runs)) {
            throw new InputException(
                    "no directory of runs: " + runs + " is not there; a run makes it, or --runs names another");
        }
        this.runs = runs.toAbsolutePath().normalize();
        this.limits = limits;
    }

    Path directory() {
        return runs;
    }

    /**
     * The runs of the directory, in the order in which they began.
     *
     * @param ended in whatever way
     */
    record Runs(List<RunRow> ended, List<RunningRun> running) {}

    /** Reads the directory anew. */
    synchronized Runs runs() throws IOException {
        Map<Path, Known> now = new HashMap<>();
        Runs found = new Runs(new ArrayList<>(), new ArrayList<>());
        try (RunFolder top = RunFolder.open(runs)) {
            for (String name : top.children()) {
                try (RunFolder scenario = top.child(name)) {
                    if (scenario != null) {
                        collect(scenario, runs.resolve(name), now, found);
                    }
                }
            }
        }
        read = now;
        found.ended().sort(Comparator.comparing(RunRow::startedUtc));
        found.running().sort(Comparator.comparing(RunningRun::startedUtc));
        return found;
    }

    private void collect(RunFolder scenario, Path path, Map<Path, Known> now, Runs found) throws IOException {
        for (String name : scenario.children()) {
            try (RunFolder run = scenario.child(name)) {
                if (run != null) {
                    add(run, path.resolve(name), now, found);
                }
            }
        }
    }

    private void add(RunFolder run, Path path, Map<Path, Known> now, Runs found) throws IOException {
        BasicFileAttributes file = run.attributes(RunRecord.NAME);
        if (file == null) {
            addStarted(run, path, found);
            return;
        }
        RunRow row = ended(run, file, path, now);
        if (row != null) {
            found.ended().add(row);
        }
    }

    /** Returns {@code null} for a directory that is no run. */
    private @Nullable RunRow ended(RunFolder run, BasicFileAttributes file, Path path, Map<Path, Known> now)
            throws IOException {
        Known known = read.get(path);
        if (known == null || !known.isOf(file)) {
            RunRow row = written(run, path);
            if (row == null) {
                return null;
            }
            known = new Known(String.valueOf(file.fileKey()), file.size(), file.lastModifiedTime(), row);
        }
        now.put(path, known);
        return known.row();
    }

    private @Nullable RunRow written(RunFolder run, Path path) throws IOException {
        byte[] record = run.content(RunRecord.NAME, limits.maxRecordBytes());
        return record == null ? null : parsed(path, record, run.content(DiagnosisRecord.NAME, limits.maxRecordBytes()));
    }

    /** Adds a run without a record: it goes on, or its lab was killed. */
    private void addStarted(RunFolder run, Path path, Runs found) throws IOException {
        try (FileChannel started = run.file(StartedRun.NAME)) {
            if (started == null) {
                return;
            }
            boolean isAbandoned = StartedRun.isAbandoned(started);
            byte[] record = RunFolder.head(started, limits.maxRecordBytes());
            RunRow row = parsed(path, record, null);
            if (row != null && isAbandoned) {
                found.ended().add(row);
            } else if (row != null) {
                found.running().add(new RunningRun(row.runCase(), row.startedUtc(), StartedRun.live(record)));
            }
        }
    }

    private static @Nullable RunRow parsed(Path path, byte[] record, byte @Nullable [] diagnosis) {
        try {
            return RunFileReader.of(path, record, diagnosis).run().in(path);
        } catch (HistoryException e) {
            // Its run is writing it, or was killed while it did: it may be whole when asked for again.
            return null;
        }
    }

    /**
     * Opens a file of one run; {@code null} when there is none, or it is no regular file of the run's own.
     *
     * @param scenario the directory's name, as asked for
     * @param run the same below the scenario's, or {@code latest}
     */
    @Nullable
    FileChannel open(String scenario, String run, String name) throws IOException {
        try (RunFolder top = RunFolder.open(runs);
                RunFolder ofScenario = top.child(scenario)) {
            if (ofScenario == null) {
                return null;
            }
            try (RunFolder ofRun = ofScenario.child(run.equals("latest") ? latest(scenario) : run)) {
                return ofRun == null ? null : ofRun.file(name);
            }
        }
    }

    /**
     * Opens a file of a run of a campaign; {@code null} as for {@link #open(String, String, String)}.
     *
     * @param folders from the campaign's name to the run's directory, as asked for
     */
    @Nullable
    FileChannel openOfCampaign(List<String> folders, String name) throws IOException {
        try (RunFolder top = RunFolder.open(runs);
                RunFolder campaigns = top.child(CAMPAIGNS)) {
            return campaigns == null ? null : open(campaigns, folders, name);
        }
    }

    private static @Nullable FileChannel open(RunFolder in, List<String> folders, String name) throws IOException {
        if (folders.isEmpty()) {
            return in.file(name);
        }
        try (RunFolder child = in.child(folders.get(0))) {
            return child == null ? null : open(child, folders.subList(1, folders.size()), name);
        }
    }

    /** The one link that is known; it leads to a neighbour. */
    private String latest(String scenario) throws IOException {
        Path link = runs.resolve(scenario).resolve("latest");
        Path target = Files.isSymbolicLink(link) ? Files.readSymbolicLink(link) : link.getFileName();
        return target.getNameCount() == 1 && !target.isAbsolute() ? target.toString() : "latest";
    }
}
