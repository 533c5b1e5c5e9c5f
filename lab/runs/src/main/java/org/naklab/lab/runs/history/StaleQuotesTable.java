package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.runs.history.detail.Row;

/** Table {@code stale_quotes}. */
final class StaleQuotesTable {
    private static final String COLUMNS = "host, run_directory, changes, periods, periods_over_10_ms, total_ms, "
            + "longest_ms, longest_instrument, max_difference";

    private StaleQuotesTable() {}

    static void insert(Connection connection, RunRow run) throws SQLException {
        StaleQuotesRecord quotes = run.staleQuotes();
        if (quotes == null) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO stale_quotes (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            new Row(statement)
                    .text(run.host())
                    .text(run.runDirectory())
                    .number(quotes.changes())
                    .number(quotes.periods())
                    .number(quotes.over10Ms())
                    .decimal(quotes.totalMs())
                    .decimal(quotes.longestMs())
                    .number(quotes.longestInstrument())
                    .decimal(quotes.maxDifference());
            statement.executeUpdate();
        }
    }

    /** Returns the runs with their stale quotes. */
    static List<RunRow> addTo(Connection connection, List<RunRow> runs, RunKey.Choice choice) throws SQLException {
        Map<RunKey, StaleQuotesRecord> quotes = read(connection, choice);
        return runs.stream()
                .map(run -> run.withStaleQuotes(quotes.get(RunKey.of(run))))
                .toList();
    }

    private static Map<RunKey, StaleQuotesRecord> read(Connection connection, RunKey.Choice choice)
            throws SQLException {
        String query = "SELECT t.*" + choice.join("stale_quotes t");
        try (PreparedStatement statement = choice.prepare(connection, query)) {
            try (ResultSet result = statement.executeQuery()) {
                Map<RunKey, StaleQuotesRecord> quotes = new HashMap<>();
                while (result.next()) {
                    quotes.put(RunKey.of(result), row(result));
                }
                return quotes;
            }
        }
    }

    private static StaleQuotesRecord row(ResultSet from) throws SQLException {
        return new StaleQuotesRecord(
                from.getLong("changes"),
                from.getLong("periods"),
                from.getLong("periods_over_10_ms"),
                from.getDouble("total_ms"),
                from.getDouble("longest_ms"),
                from.getInt("longest_instrument"),
                from.getDouble("max_difference"));
    }
}
