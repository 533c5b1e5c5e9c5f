package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.runs.history.detail.Row;

/** Table {@code latency}. */
final class LatencyTable {
    private static final String COLUMNS = "host, run_directory, process, hop, events, p50_us, p99_us, p999_us, max_us, "
            + "over_1_ms, over_10_ms, over_100_ms";

    private LatencyTable() {}

    static void insert(Connection connection, RunRow run) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO latency (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (LatencyRow latency : run.latencies()) {
                LatencyRecord.Late late = latency.late();
                new Row(statement)
                        .text(run.host())
                        .text(run.runDirectory())
                        .text(latency.process())
                        .text(latency.hop())
                        .number(latency.events())
                        .decimal(latency.p50Us())
                        .decimal(latency.p99Us())
                        .decimal(latency.p999Us())
                        .decimal(latency.maxUs())
                        .number(late == null ? null : Long.valueOf(late.over1Ms()))
                        .number(late == null ? null : Long.valueOf(late.over10Ms()))
                        .number(late == null ? null : Long.valueOf(late.over100Ms()));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Returns the runs with their latencies. */
    static List<RunRow> addTo(Connection connection, List<RunRow> runs, RunKey.Choice choice) throws SQLException {
        Map<RunKey, List<LatencyRow>> latencies = read(connection, choice);
        return runs.stream()
                .map(run -> run.withLatencies(latencies.getOrDefault(RunKey.of(run), List.of())))
                .toList();
    }

    private static Map<RunKey, List<LatencyRow>> read(Connection connection, RunKey.Choice choice) throws SQLException {
        String query = "SELECT t.*" + choice.join("latency t") + " ORDER BY t.process, t.hop";
        try (PreparedStatement statement = choice.prepare(connection, query)) {
            try (ResultSet result = statement.executeQuery()) {
                Map<RunKey, List<LatencyRow>> latencies = new HashMap<>();
                while (result.next()) {
                    latencies
                            .computeIfAbsent(RunKey.of(result), absent -> new ArrayList<>())
                            .add(row(result));
                }
                return latencies;
            }
        }
    }

    private static LatencyRow row(ResultSet from) throws SQLException {
        long over1Ms = from.getLong("over_1_ms");
        boolean isKnown = !from.wasNull();
        return new LatencyRow(
                from.getString("process"),
                from.getString("hop"),
                from.getLong("events"),
                from.getDouble("p50_us"),
                from.getDouble("p99_us"),
                from.getDouble("p999_us"),
                from.getDouble("max_us"),
                isKnown
                        ? new LatencyRecord.Late(over1Ms, from.getLong("over_10_ms"), from.getLong("over_100_ms"))
                        : null);
    }
}
