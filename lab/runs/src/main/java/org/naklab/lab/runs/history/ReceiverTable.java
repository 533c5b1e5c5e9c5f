package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.runs.history.detail.Row;

/** Table {@code receiver}. */
final class ReceiverTable {
    private static final String COLUMNS = "host, run_directory, number, name, naks, recovered";

    private ReceiverTable() {}

    static void insert(Connection connection, RunRow run) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO receiver (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?)")) {
            int number = 0;
            for (RunRow.Receiver receiver : run.receivers()) {
                new Row(statement)
                        .text(run.host())
                        .text(run.runDirectory())
                        .number(number++)
                        .text(receiver.name())
                        .number(receiver.naks())
                        .number(receiver.recovered());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Returns the runs with their receivers. */
    static List<RunRow> addTo(Connection connection, List<RunRow> runs, RunKey.Choice choice) throws SQLException {
        Map<RunKey, List<RunRow.Receiver>> receivers = read(connection, choice);
        return runs.stream()
                .map(run -> run.with(receivers.getOrDefault(RunKey.of(run), List.of())))
                .toList();
    }

    private static Map<RunKey, List<RunRow.Receiver>> read(Connection connection, RunKey.Choice choice)
            throws SQLException {
        String query = "SELECT t.host, t.run_directory, t.name, t.naks, t.recovered" + choice.join("receiver t")
                + " ORDER BY t.number";
        try (PreparedStatement statement = choice.prepare(connection, query)) {
            try (ResultSet result = statement.executeQuery()) {
                Map<RunKey, List<RunRow.Receiver>> receivers = new HashMap<>();
                while (result.next()) {
                    receivers
                            .computeIfAbsent(RunKey.of(result), absent -> new ArrayList<>())
                            .add(new RunRow.Receiver(
                                    result.getString("name"), result.getLong("naks"), result.getLong("recovered")));
                }
                return receivers;
            }
        }
    }
}
