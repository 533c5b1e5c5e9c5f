package org.naklab.lab.runs.history.detail;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;

/** Writes the tables of the details of one run. */
public final class DetailTables {
    private final Connection connection;
    private final String host;
    private final String runDirectory;

    private DetailTables(Connection connection, String host, String runDirectory) {
        this.connection = connection;
        this.host = host;
        this.runDirectory = runDirectory;
    }

    /** Adds the details of a run that the tables of runs and stalls already have. */
    public static void insert(Connection connection, String host, String runDirectory, RunDetails details)
            throws SQLException {
        DetailTables tables = new DetailTables(connection, host, runDirectory);
        tables.insertParts(details.accounts());
        tables.setEviction(details.eviction());
        tables.insertCustomers(details.customers());
        tables.insertFaults(details.faults());
        tables.insertFigures(details.faults());
        tables.insertFirings(details.faults());
        tables.insertLinks(details.links());
        tables.insertEvents(details.events());
        tables.insertSeconds(details.seconds());
        tables.setLeftOut(details.leftOut());
    }

    private void setLeftOut(RunDetails.@Nullable LeftOut leftOut) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE run SET events_left_out = ?, samples_left_out = ? WHERE host = ? AND run_directory = ?")) {
            new Row(statement)
                    .number(leftOut == null ? null : Long.valueOf(leftOut.events()))
                    .number(leftOut == null ? null : Long.valueOf(leftOut.samples()))
                    .text(host)
                    .text(runDirectory);
            statement.executeUpdate();
        }
    }

    private void setEviction(RunDetails.@Nullable Eviction eviction) throws SQLException {
        if (eviction == null) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE run SET eviction_began_epoch_ns = ? WHERE host = ? AND run_directory = ?")) {
            new Row(statement).number(eviction.beganEpochNs()).text(host).text(runDirectory);
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE stall SET since_eviction_s = ? WHERE host = ? AND run_directory = ? AND number = ?")) {
            int number = 0;
            for (double seconds : eviction.secondsSince()) {
                new Row(statement)
                        .decimal(seconds)
                        .text(host)
                        .text(runDirectory)
                        .number(number++);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Deletes the events and the samples of a run. */
    public static void deleteEvents(Connection connection, String host, String runDirectory) throws SQLException {
        new DetailTables(connection, host, runDirectory).setLeftOut(null);
        for (HistoryTable table : List.of(HistoryTable.EVENT, HistoryTable.SAMPLE_SECOND)) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "DELETE FROM " + table.label() + " WHERE host = ? AND run_directory = ?")) {
                new Row(statement).text(host).text(runDirectory);
                statement.executeUpdate();
            }
        }
    }

    /** Writes the rows of one table. */
    private interface Rows {
        void write(Batch batch) throws SQLException;
    }

    /** The rows of one table, which begin with the key of the run. */
    private final class Batch {
        private final PreparedStatement statement;

        Batch(PreparedStatement statement) {
            this.statement = statement;
        }

        Row row() throws SQLException {
            return new Row(statement).text(host).text(runDirectory);
        }

        void add(Row filled) throws SQLException {
            filled.addToBatch();
        }
    }

    private void insert(String table, String columns, Rows rows) throws SQLException {
        int count = columns.split(",", -1).length + 2;
        String statement = "INSERT INTO " + table + " (host, run_directory, " + columns + ") VALUES ("
                + "?, ".repeat(count - 1) + "?)";
        try (PreparedStatement prepared = connection.prepareStatement(statement)) {
            rows.write(new Batch(prepared));
            prepared.executeBatch();
        }
    }

    private void insertParts(List<List<RunDetails.StallPart>> accounts) throws SQLException {
        insert("stall_part", "stall, number, kind, ms, detail", batch -> {
            for (int stall = 0; stall < accounts.size(); stall++) {
                int number = 0;
                for (RunDetails.StallPart part : accounts.get(stall)) {
                    batch.add(batch.row()
                            .number(stall)
                            .number(number++)
                            .text(part.kind())
                            .decimal(part.ms())
                            .text(part.detail()));
                }
            }
        });
    }

    private void insertCustomers(List<CustomersRecord> customers) throws SQLException {
        String columns = "server, customers, ended, same_books, other_books, warned, disconnected, rejoined, "
                + "skipped_quotes, most_waiting_bytes, stale_periods, stale_over_10_ms, stale_total_ms, stale_longest_ms, "
                + "stale_max_difference";
        insert("customers", columns, batch -> {
            for (CustomersRecord each : customers) {
                StaleQuotesRecord stale = each.lateness().staleQuotes();
                batch.add(batch.row()
                        .text(KeptText.cut(each.server(), KeptText.MAX_NAME_CHARS))
                        .number(each.customers())
                        .number(each.books().ended())
                        .number(each.books().sameBooks())
                        .number(each.books().otherBooks())
                        .number(each.slow().warned())
                        .number(each.slow().disconnected())
                        .number(each.slow().rejoined())
                        .number(each.slow().skippedQuotes())
                        .number(each.traffic().mostWaitingBytes())
                        .number(stale == null ? null : Long.valueOf(stale.periods()))
                        .number(stale == null ? null : Long.valueOf(stale.over10Ms()))
                        .decimal(stale == null ? null : Double.valueOf(stale.totalMs()))
                        .decimal(stale == null ? null : Double.valueOf(stale.longestMs()))
                        .decimal(stale == null ? null : Double.valueOf(stale.maxDifference())));
            }
        });
    }

    private void insertFaults(List<RunDetails.Fault> faults) throws SQLException {
        insert("fault", "process, fault, armed, fired, explanation", batch -> {
            for (RunDetails.Fault fault : faults) {
                batch.add(batch.row()
                        .text(fault.process())
                        .text(fault.fault())
                        .flag(fault.armed())
                        .flag(fault.fired())
                        .text(fault.explanation()));
            }
        });
    }

    private void insertFigures(List<RunDetails.Fault> faults) throws SQLException {
        insert("fault_figure", "process, fault, name, value", batch -> {
            for (RunDetails.Fault fault : faults) {
                for (Map.Entry<String, Long> figure : fault.figures().entrySet()) {
                    batch.add(batch.row()
                            .text(fault.process())
                            .text(fault.fault())
                            .text(figure.getKey())
                            .number(figure.getValue()));
                }
            }
        });
    }

    private void insertFirings(List<RunDetails.Fault> faults) throws SQLException {
        insert("firing", "process, fault, number, began_epoch_ns, duration_ns, what", batch -> {
            for (RunDetails.Fault fault : faults) {
                int number = 0;
                for (RunDetails.Firing firing : fault.firings()) {
                    batch.add(batch.row()
                            .text(fault.process())
                            .text(fault.fault())
                            .number(number++)
                            .number(firing.beganEpochNs())
                            .number(firing.durationNs())
                            .text(firing.what()));
                }
            }
        });
    }

    private void insertLinks(List<RunDetails.Link> links) throws SQLException {
        insert("chain_link", "number, link, present, in_order, at_epoch_ns", batch -> {
            int number = 0;
            for (RunDetails.Link link : links) {
                batch.add(batch.row()
                        .number(number++)
                        .text(link.link())
                        .flag(link.present())
                        .flag(link.inOrder())
                        .number(link.atEpochNs()));
            }
        });
    }

    private void insertEvents(List<RunDetails.Event> events) throws SQLException {
        insert("event", "number, began_epoch_ns, duration_ns, type, process, thread, amount", batch -> {
            int number = 0;
            for (RunDetails.Event event : events) {
                batch.add(batch.row()
                        .number(number++)
                        .number(event.beganEpochNs())
                        .number(event.durationNs())
                        .text(event.type())
                        .text(event.process())
                        .text(event.thread())
                        .number(event.amount()));
            }
        });
    }

    private void insertSeconds(List<SampleSecond> seconds) throws SQLException {
        String columns =
                "number, series, port, inode, thread_id, session_id, epoch_second, samples, least, most, last_value";
        insert("sample_second", columns, batch -> {
            int number = 0;
            for (SampleSecond second : seconds) {
                batch.add(batch.row()
                        .number(number++)
                        .text(second.name().steady())
                        .number(second.name().port().orElse(null))
                        .number(second.name().inode().orElse(null))
                        .number(second.name().threadId().orElse(null))
                        .number(second.name().sessionId().orElse(null))
                        .number(second.epochSecond())
                        .number(second.samples())
                        .number(second.least())
                        .number(second.most())
                        .number(second.last()));
            }
        });
    }
}
