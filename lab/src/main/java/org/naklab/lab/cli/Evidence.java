package org.naklab.lab.cli;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.LabException;
import org.naklab.lab.history.History;
import org.naklab.lab.history.HistoryException;
import org.naklab.lab.history.HistoryUrl;
import org.naklab.lab.history.RunFileReader;
import org.naklab.lab.history.StallRow;
import org.naklab.lab.report.Report;

/** Keeps what a finished run showed. A run that cannot keep it says so on a line, and has its verdict all the same. */
final class Evidence {
    private final HistoryUrl url;
    private final Terminal terminal;

    Evidence(HistoryUrl url, Terminal terminal) {
        this.url = url;
        this.terminal = terminal;
    }

    /** Adds the run to the history, and writes its report. A history that fails is not asked again. */
    void keep(Path runDirectory) {
        List<StallRow> alike = List.of();
        try {
            History.open(url).add(RunFileReader.read(runDirectory));
            alike = alike(runDirectory);
        } catch (HistoryException | UncheckedIOException e) {
            say("the run is not in the history, and its report has its own stalls only: " + e.getMessage());
        }
        try {
            Report.write(runDirectory, alike);
        } catch (LabException | UncheckedIOException e) {
            say("the run has no report: " + e.getMessage());
        }
    }

    /**
     * Writes the report.
     *
     * @throws LabException it cannot be made, or not be written
     */
    void report(Path runDirectory, Path file) {
        Report.write(runDirectory, alike(runDirectory), file);
    }

    /** The stalls of runs like this one; a report without them is still one. */
    private List<StallRow> alike(Path runDirectory) {
        try {
            return History.openExisting(url)
                    .stalls(RunFileReader.read(runDirectory).run().runCase());
        } catch (HistoryException e) {
            say("the report has this run's stalls only: " + e.getMessage());
            return List.of();
        }
    }

    private void say(String note) {
        terminal.err().println("note: " + note);
    }
}
