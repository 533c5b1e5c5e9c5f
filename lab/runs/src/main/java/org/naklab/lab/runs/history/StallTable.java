package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.runs.history.detail.Row;

/** Table {@code stall}. */
final class StallTable {
    private static final String COLUMNS =
            "host, run_directory, number, process, thread, began_epoch_ns, duration_ms, major_faults, cause";

    private StallTable() {}

    static void insert(Connection connection, HistoryEntry entry) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO stall (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            int number = 0;
            for (StallRow stall : entry.stalls()) {
                new Row(statement)
                        .text(entry.run().host())
                        .text(entry.run().runDirectory())
                        .number(number++)
                        .text(stall.process())
                        .text(stall.thread())
                        .number(stall.beganEpochNs())
                        .decimal(stall.durationMs())
                        .number(stall.majorFaults())
                        .text(stall.cause());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    static List<StallRow> read(Connection connection, RunCase like) throws SQLException {
        String query = "SELECT s.process, s.thread, s.began_epoch_ns, s.duration_ms, s.major_faults, s.cause"
                + " FROM stall s JOIN run r ON s.host = r.host AND s.run_directory = r.run_directory"
                + " WHERE r.scenario = ? AND r.fidelity = ? AND r.remedy = ? AND r.profile = ?"
                + " ORDER BY r.started_utc, r.host, r.run_directory, s.number";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            new Row(statement)
                    .text(like.scenario())
                    .text(like.fidelity())
                    .text(like.remedy())
                    .text(like.profile());
            try (ResultSet result = statement.executeQuery()) {
                List<StallRow> stalls = new ArrayList<>();
                while (result.next()) {
                    stalls.add(row(result));
                }
                return stalls;
            }
        }
    }

    private static StallRow row(ResultSet from) throws SQLException {
        long beganEpochNs = from.getLong("began_epoch_ns");
        boolean isKnown = !from.wasNull();
        return new StallRow(
                from.getString("process"),
                from.getString("thread"),
                isKnown ? beganEpochNs : null,
                from.getDouble("duration_ms"),
                from.getLong("major_faults"),
                from.getString("cause"));
    }
}
