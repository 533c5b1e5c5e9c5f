package org.naklab.lab.terminal.runs;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.naklab.lab.core.LabException;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.UnfinishedRecord;
import org.naklab.lab.report.Report;
import org.naklab.lab.runs.calendar.CalendarPage;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.runs.history.AbandonedRuns;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryEntry;
import org.naklab.lab.runs.history.HistoryException;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.runs.history.StallRow;
import org.naklab.lab.terminal.Terminal;

/** Keeps what a finished run showed. A run that cannot keep it says so on a line, and has its verdict all the same. */
public final class RunArchiver {
    private static final String CALENDAR = "index.html";

    private final HistoryUrl url;
    private final Terminal terminal;
    private boolean isHistorySilent;

    public RunArchiver(HistoryUrl url, Terminal terminal) {
        this.url = url;
        this.terminal = terminal;
    }

    /** Writes the run's report; returns what could not be written, each one line. A history that fails is not asked again for this run. */
    public List<String> keepReport(Path runDirectory) {
        List<StallRow> alike = List.of();
        isHistorySilent = false;
        try {
            alike = History.open(url)
                    .stalls(RunFileReader.read(runDirectory).run().runCase());
        } catch (HistoryException | UncheckedIOException e) {
            isHistorySilent = true;
            print("the run is not in the history, and its report contains only its own stalls: " + e.getMessage());
        }
        try {
            Report.write(runDirectory, alike);
            return List.of();
        } catch (LabException | UncheckedIOException e) {
            print("the run has no report: " + e.getMessage());
            return List.of("the run has no report: " + e.getMessage());
        }
    }

    /** Adds the run as its record says it is, once nothing changes that any more. */
    public void keepInHistory(Path runDirectory) {
        if (isHistorySilent) {
            return;
        }
        try {
            History.open(url).add(entry(runDirectory));
            writeCalendar(runDirectory);
        } catch (HistoryException | UncheckedIOException e) {
            print("the run is not in the history: " + e.getMessage());
        }
    }

    private HistoryEntry entry(Path runDirectory) {
        try {
            return RunFileReader.readWhole(runDirectory);
        } catch (HistoryException e) {
            throw e;
        } catch (LabException e) {
            print("the events and samples of the run are not in the history: " + e.getMessage());
            return RunFileReader.read(runDirectory);
        }
    }

    /** Writes the page to which every report links, so that the link works from a file as it does from {@code naklab serve}. */
    private void writeCalendar(Path runDirectory) {
        Path scenario = runDirectory.toAbsolutePath().normalize().getParent();
        Path runs = scenario == null ? null : scenario.getParent();
        if (runs == null) {
            return;
        }
        writeCalendarOf(runs);
    }

    /** Writes the page again; without a history, it has no runs. */
    public void writeCalendarOf(Path runs) {
        try {
            boolean isEmpty = url.isFile() && !Files.exists(url.file());
            History.Latest latest = isEmpty
                    ? new History.Latest(List.of(), 0)
                    : History.openExisting(url).latest(null, CalendarPage.MAX_RUNS);
            CalendarPage.write(runs.resolve(CALENDAR), latest, KeptPage.in(runs), Instant.now());
        } catch (LabException e) {
            print("the calendar page was not written: " + e.getMessage());
        }
    }

    /** Deletes a run of which only the figures are wanted: its directory, and its events and samples in the history. */
    public void forget(Path runDirectory) {
        try {
            History.open(url).forgetEvents(RunFileReader.read(runDirectory).run());
        } catch (HistoryException | UncheckedIOException e) {
            print("the history keeps the events of " + runDirectory + ": " + e.getMessage());
        }
        RunDisk.delete(runDirectory);
    }

    /** Adds a run to the history that came to no verdict, or whose record could not be written. */
    public void keepUnfinished(Path runDirectory, UnfinishedRecord record) {
        try {
            History.open(url).add(RunFileReader.of(runDirectory, RunRecord.of(record)));
        } catch (HistoryException e) {
            print("the run without a verdict is not in the history: " + e.getMessage());
        }
    }

    /** Adds the runs whose lab was killed and that the history does not have yet. */
    public void keepAbandoned(Path runs) {
        try {
            AbandonedRuns.addTo(url, runs);
        } catch (HistoryException | UncheckedIOException e) {
            print("the runs whose lab was killed are not in the history: " + e.getMessage());
        }
    }

    /**
     * Writes the report.
     *
     * @throws LabException it cannot be made, or not be written
     */
    public void report(Path runDirectory, Path file) {
        Report.write(runDirectory, alike(runDirectory), file);
    }

    /** The stalls of runs like this one; a report without them is still one. */
    private List<StallRow> alike(Path runDirectory) {
        try {
            return History.openExisting(url)
                    .stalls(RunFileReader.read(runDirectory).run().runCase());
        } catch (HistoryException e) {
            print("the report contains only the stalls of this run: " + e.getMessage());
            return List.of();
        }
    }

    private void print(String note) {
        terminal.err().println("note: " + note);
    }
}
