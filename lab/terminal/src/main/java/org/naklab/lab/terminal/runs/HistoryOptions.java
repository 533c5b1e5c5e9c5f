package org.naklab.lab.terminal.runs;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.history.AbandonedRuns;
import org.naklab.lab.runs.history.HistoryException;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Option;

/** Tells which history. */
public final class HistoryOptions {
    @Option(
            names = "--history",
            paramLabel = "URL",
            description =
                    "Database of the runs: jdbc:sqlite:FILE or jdbc:postgresql://HOST/DATABASE, with user and password"
                            + " from PGUSER and PGPASSWORD, or the password from ~/.pgpass or the file given by PGPASSFILE. Every"
                            + " user of the machine can read a password in the URL (ps) while the command runs (default:"
                            + " history.db in the runs directory).")
    private @Nullable String history;

    /**
     * Adds the runs whose lab was killed and could not do it itself; says so if it cannot.
     *
     * @param runs that contains the run directories
     */
    public void addAbandoned(Path runs, Terminal terminal) {
        try {
            AbandonedRuns.addTo(url(runs), runs);
        } catch (HistoryException | UncheckedIOException e) {
            terminal.err().println("note: runs whose lab was killed may be missing: " + e.getMessage());
        }
    }

    /**
     * Returns the address of the history.
     *
     * @param runs beside which the usual one is
     */
    public HistoryUrl url(Path runs) {
        return history == null ? HistoryUrl.inRuns(runs) : HistoryUrl.of(history);
    }
}
