package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.history.detail.Row;

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
     * Says which runs a query reads.
     *
     * @param scenario {@code null}: of all
     * @param sinceUtc those that did not begin earlier, ISO 8601; empty: all
     */
    record Choice(@Nullable String scenario, String sinceUtc) {
        /** Returns the part of a query of table {@code run} behind its columns. */
        String from() {
            return " FROM run WHERE 0 = 0" + conditions();
        }

        /**
         * Returns the part of a query of another table behind its columns: its rows of these runs. SQLite reads the tables of a CROSS JOIN in their order; it
         * would read the whole of the other table first.
         *
         * @param table with its alias {@code t}
         */
        String join(String table) {
            return " FROM run CROSS JOIN " + table + " WHERE t.host = run.host AND t.run_directory = run.run_directory"
                    + conditions();
        }

        private String conditions() {
            return (sinceUtc.isEmpty() ? "" : " AND run.started_utc >= ?")
                    + (scenario == null ? "" : " AND run.scenario = ?");
        }

        /** Prepares a query that has one of the two. */
        PreparedStatement prepare(Connection connection, String query) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(query);
            Row row = new Row(statement);
            if (!sinceUtc.isEmpty()) {
                row.text(sinceUtc);
            }
            if (scenario != null) {
                row.text(scenario);
            }
            return statement;
        }
    }
}
