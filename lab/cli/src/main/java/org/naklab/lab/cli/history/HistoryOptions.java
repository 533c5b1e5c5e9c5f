package org.naklab.lab.cli.history;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.history.HistoryUrl;
import picocli.CommandLine.Option;

/** Which history. */
public final class HistoryOptions {
    @Option(
            names = "--history",
            paramLabel = "URL",
            description = {
                "The runs' database: jdbc:sqlite:FILE or",
                "jdbc:postgresql://HOST/DATABASE, whose user and password are taken from PGUSER and PGPASSWORD,",
                "or the password from ~/.pgpass or the file that PGPASSFILE names. Every user of the machine can",
                "read a password in the URL (ps) while the command runs (default: history.db among the runs)."
            })
    private @Nullable String history;

    /**
     * Returns the address of the history.
     *
     * @param runs beside which the usual one is
     */
    public HistoryUrl url(Path runs) {
        return history == null ? HistoryUrl.inRuns(runs) : HistoryUrl.of(history);
    }
}
