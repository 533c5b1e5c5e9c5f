package org.naklab.lab.runs.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.runs.history.detail.Row;

/** Table {@code run}. */
final class RunTable {
    private static final String COLUMNS =
            "host, run_directory, started_utc, scenario, fidelity, remedy, profile, seed, "
                    + "verdict, diagnosis, confidence, messages, naks, service_naks, datagrams_dropped, retransmits, "
                    + "blocked_sends, max_socket_depth_bytes, stalls, longest_stall_ms, "
                    + "naklab, jdk, kernel, architecture, processor, cores, memory_bytes, reason";

    private RunTable() {}

    static void insert(Connection connection, RunRow run) throws SQLException {
        insert(connection, run, "");
    }

    /** Adds a run unless the table already has it. */
    static void insertIfAbsent(Connection connection, RunRow run) throws SQLException {
        insert(connection, run, " ON CONFLICT (host, run_directory) DO NOTHING");
    }

    private static void insert(Connection connection, RunRow run, String onConflict) throws SQLException {
        String holders = "?, ".repeat(COLUMNS.split(",", -1).length - 1) + "?";
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO run (" + COLUMNS + ") VALUES (" + holders + ")" + onConflict)) {
            Row row =
                    new Row(statement).text(run.host()).text(run.runDirectory()).text(run.startedUtc());
            fill(row, run.runCase());
            row.text(run.finding().verdict())
                    .text(run.finding().diagnosis())
                    .text(run.finding().confidence());
            fill(row, run.figures());
            fill(row, run.hostFacts());
            row.text(run.finding().reason());
            statement.executeUpdate();
        }
    }

    private static void fill(Row row, RunCase of) throws SQLException {
        row.text(of.scenario())
                .text(of.fidelity())
                .text(of.remedy())
                .text(of.profile())
                .number(of.seed());
    }

    private static void fill(Row row, RunFigures figures) throws SQLException {
        row.number(figures.traffic().messages())
                .number(figures.traffic().naks())
                .number(figures.traffic().serviceNaks())
                .number(figures.harm().datagramsDropped())
                .number(figures.harm().retransmits())
                .number(figures.harm().blockedSends())
                .number(figures.harm().maxSocketDepthBytes())
                .number(figures.stalls())
                .decimal(figures.longestStallMs());
    }

    private static void fill(Row row, HostFacts facts) throws SQLException {
        row.text(facts.naklab())
                .text(facts.jdk())
                .text(facts.kernel())
                .text(facts.architecture())
                .text(facts.processor())
                .number(facts.cores())
                .number(facts.memoryBytes());
    }

    /**
     * Returns the latest runs in the order in which they began, without what other tables have of them.
     *
     * @param most how many at most
     */
    static List<RunRow> read(Connection connection, RunKey.Choice choice, int most) throws SQLException {
        String query = "SELECT " + COLUMNS + choice.from()
                + " ORDER BY started_utc DESC, host DESC, run_directory DESC LIMIT " + most;
        try (PreparedStatement statement = choice.prepare(connection, query);
                ResultSet result = statement.executeQuery()) {
            List<RunRow> runs = new ArrayList<>();
            while (result.next()) {
                runs.add(row(result));
            }
            Collections.reverse(runs);
            return runs;
        }
    }

    /** Returns the number of runs. */
    static long count(Connection connection, RunKey.Choice choice) throws SQLException {
        try (PreparedStatement statement = choice.prepare(connection, "SELECT COUNT(*)" + choice.from());
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Returns the numbers of runs by scenario, remedy, day and verdict. */
    static List<History.DayCount> days(Connection connection, RunKey.Choice choice) throws SQLException {
        String query = "SELECT scenario, remedy, SUBSTR(started_utc, 1, " + RunRow.DAY_LENGTH
                + ") AS day, verdict, COUNT(*) AS runs" + choice.from() + " GROUP BY 1, 2, 3, 4";
        try (PreparedStatement statement = choice.prepare(connection, query);
                ResultSet result = statement.executeQuery()) {
            List<History.DayCount> days = new ArrayList<>();
            while (result.next()) {
                days.add(new History.DayCount(
                        result.getString("scenario"),
                        result.getString("remedy"),
                        result.getString("day"),
                        RunMark.of(result.getString("verdict")),
                        result.getLong("runs")));
            }
            return days;
        }
    }

    private static RunRow row(ResultSet from) throws SQLException {
        return new RunRow(
                from.getString("host"),
                from.getString("run_directory"),
                from.getString("started_utc"),
                new RunCase(
                        from.getString("scenario"),
                        from.getString("fidelity"),
                        from.getString("remedy"),
                        from.getString("profile"),
                        from.getLong("seed")),
                new RunFinding(
                        from.getString("verdict"),
                        from.getString("diagnosis"),
                        from.getString("confidence"),
                        from.getString("reason")),
                figures(from),
                new HostFacts(
                        from.getString("naklab"),
                        from.getString("jdk"),
                        from.getString("kernel"),
                        from.getString("architecture"),
                        from.getString("processor"),
                        from.getInt("cores"),
                        from.getLong("memory_bytes")));
    }

    private static RunFigures figures(ResultSet from) throws SQLException {
        long own = from.getLong("service_naks");
        boolean isKnown = !from.wasNull();
        return new RunFigures(
                new RunFigures.Traffic(from.getLong("messages"), from.getLong("naks"), isKnown ? own : null),
                new RunFigures.Harm(
                        from.getLong("datagrams_dropped"),
                        from.getLong("retransmits"),
                        from.getLong("blocked_sends"),
                        from.getLong("max_socket_depth_bytes")),
                from.getInt("stalls"),
                from.getDouble("longest_stall_ms"));
    }
}
