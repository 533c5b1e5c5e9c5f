package org.naklab.lab.runs.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The key of a run, with which the rows of the other tables begin. */
record RunKey(String host, String runDirectory) {
    static RunKey of(RunRow run) {
        return new RunKey(run.host(), run.runDirectory());
    }

    /** Returns the run that a row of another table belongs to. */
    static RunKey of(ResultSet row) throws SQLException {
        return new RunKey(row.getString("host"), row.getString("run_directory"));
    }

    /**
     * Returns the end of a query of another table that takes the rows of one scenario only.
     *
     * @param alias of that table
     * @param scenario the only parameter of the query; {@code null}: the runs of all, without a parameter
     */
    static String join(String alias, @Nullable String scenario) {
        return scenario == null
                ? ""
                : " JOIN run r ON " + alias + ".host = r.host AND " + alias
                        + ".run_directory = r.run_directory WHERE r.scenario = ?";
    }
}
