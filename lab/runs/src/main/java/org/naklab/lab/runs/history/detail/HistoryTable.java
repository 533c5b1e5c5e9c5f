package org.naklab.lab.runs.history.detail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The tables of the history, and their export as CSV (RFC 4180): a header with the columns, then the rows in the order of the key. */
public enum HistoryTable {
    RUN(""),
    STALL("number"),
    STALL_PART("stall, number"),
    RECEIVER("number"),
    LATENCY("process, hop"),
    STALE_QUOTES(""),
    CUSTOMERS("server"),
    FAULT("process, fault"),
    FAULT_FIGURE("process, fault, name"),
    FIRING("process, fault, number"),
    CHAIN_LINK("number"),
    EVENT("number"),
    SAMPLE_SECOND("number");

    private static final int FETCHED_ROWS = 1_000;
    private static final String LINE_END = "\r\n";

    private final String key;

    /** @param key the columns that are the key of a row within its run */
    HistoryTable(String key) {
        this.key = key;
    }

    /** Returns the name in the database. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes the table as CSV; a value that is not known is empty.
     *
     * @param scenario only of its runs; {@code null}: of all
     * @return the number of rows
     * @throws UncheckedIOException it cannot be written
     */
    public long write(Connection connection, @Nullable String scenario, Appendable out) throws SQLException {
        // PostgreSQL's driver keeps the whole result in memory unless it is in a transaction.
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCHED_ROWS);
            try (ResultSet rows = statement.executeQuery(query(scenario))) {
                return write(rows, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            connection.rollback();
        }
    }

    private String query(@Nullable String scenario) {
        String of = scenario == null ? "" : " WHERE r.scenario = '" + scenario.replace("'", "''") + "'";
        String order = " ORDER BY r.started_utc, r.host, r.run_directory";
        if (this == RUN) {
            return "SELECT r.* FROM run r" + of + order;
        }
        return "SELECT t.* FROM " + label() + " t JOIN run r ON t.host = r.host AND t.run_directory = r.run_directory"
                + of + order + (key.isEmpty() ? "" : ", t." + key.replace(", ", ", t."));
    }

    private static long write(ResultSet rows, Appendable out) throws SQLException, IOException {
        int columns = rows.getMetaData().getColumnCount();
        for (int i = 1; i <= columns; i++) {
            out.append(i == 1 ? "" : ",").append(rows.getMetaData().getColumnLabel(i));
        }
        out.append(LINE_END);
        long count = 0;
        for (; rows.next(); count++) {
            for (int i = 1; i <= columns; i++) {
                String value = rows.getString(i);
                out.append(i == 1 ? "" : ",").append(value == null ? "" : quoted(value));
            }
            out.append(LINE_END);
        }
        return count;
    }

    /** Quotes what would not be one value otherwise; an empty text is quoted, so that it differs from a value that is not known. */
    private static String quoted(String value) {
        boolean isPlain = !value.isEmpty() && value.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
        return isPlain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
