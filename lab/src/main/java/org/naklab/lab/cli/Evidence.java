package org.naklab.lab.cli;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.naklab.lab.LabException;
import org.naklab.lab.history.History;
import org.naklab.lab.history.HistoryEntry;
import org.naklab.lab.history.HistoryException;
import org.naklab.lab.history.HistoryUrl;
import org.naklab.lab.history.RunFileReader;

/** Keeps what a finished run showed. A run that cannot keep it says so on a line, and has its verdict all the same. */
final class Evidence {
    private final HistoryUrl url;
    private final Terminal terminal;

    Evidence(HistoryUrl url, Terminal terminal) {
        this.url = url;
        this.terminal = terminal;
    }

    /** Adds the run to the history. */
    void keep(Path runDirectory) {
        try {
            HistoryEntry entry = RunFileReader.read(runDirectory);
            History.open(url).add(entry);
        } catch (HistoryException | LabException | UncheckedIOException e) {
            terminal.err().println("note: the run is not in the history: " + e.getMessage());
        }
    }
}
