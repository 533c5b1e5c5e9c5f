package org.naklab.lab.runs.history;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.runs.history.detail.DetailTables;
import org.naklab.lab.runs.history.detail.HistoryTable;

/** All runs. Safe for several threads and processes: each call is a connection and a transaction of its own. */
public final class History {
    private final HistoryUrl url;
    private final HistoryDatabase.Connections source;

    private History(HistoryUrl url, HistoryDatabase.Connections source) {
        this.url = url;
        this.source = source;
    }

    /**
     * Opens a history, and makes it when there is none.
     *
     * @throws HistoryException it cannot be reached, or its schema is not one of this program's
     */
    public static History open(HistoryUrl url) {
        return new History(url, HistoryDatabase.open(url));
    }

    /**
     * Opens a history that is there.
     *
     * @throws HistoryException as {@link #open}, and when a file is not there
     */
    public static History openExisting(HistoryUrl url) {
        if (url.isFile() && !Files.exists(url.file())) {
            throw new HistoryException("no history yet: " + url.file() + " is not there; a run makes it");
        }
        return open(url);
    }

    /**
     * Adds a run with its stalls, its receivers, its latencies, its stale quotes and its details, all or none.
     *
     * @throws HistoryException it cannot be written, or has that run
     */
    public void add(HistoryEntry entry) {
        transact(connection -> {
            RunTable.insert(connection, entry.run());
            StallTable.insert(connection, entry);
            ReceiverTable.insert(connection, entry.run());
            LatencyTable.insert(connection, entry.run());
            StaleQuotesTable.insert(connection, entry.run());
            DetailTables.insert(connection, entry.run().host(), entry.run().runDirectory(), entry.details());
            return entry;
        });
    }

    /**
     * Adds a run without stalls and receivers, unless the history has it.
     *
     * @throws HistoryException it cannot be written
     */
    public void addIfAbsent(HistoryEntry entry) {
        try (Connection connection = source.open()) {
            RunTable.insertIfAbsent(connection, entry.run());
        } catch (SQLException e) {
            throw failure("written", e);
        }
    }

    /**
     * Deletes the events and samples of a run, which take most of the space; its figures stay.
     *
     * @throws HistoryException it cannot be written
     */
    public void forgetEvents(RunRow run) {
        try (Connection connection = source.open()) {
            DetailTables.deleteEvents(connection, run.host(), run.runDirectory());
        } catch (SQLException e) {
            throw failure("written", e);
        }
    }

    /** Runs in the order in which they began; of one scenario, or of all with {@code null}. */
    public List<RunRow> runs(@Nullable String scenario) {
        return latest(scenario, Integer.MAX_VALUE).runs();
    }

    /**
     * The latest runs of all that there are.
     *
     * @param runs in the order in which they began
     * @param total number of all, the earlier ones too
     */
    public record Latest(List<RunRow> runs, long total) {
        /** Takes the latest of runs that are in the order in which they began. */
        public static Latest of(List<RunRow> all, int most) {
            return new Latest(all.subList(Math.max(0, all.size() - most), all.size()), all.size());
        }
    }

    /**
     * Returns the latest runs. The time that it takes depends on them, and hardly on the number of the earlier ones.
     *
     * @param scenario {@code null}: of all
     * @param most how many at most
     */
    public Latest latest(@Nullable String scenario, int most) {
        try (Connection connection = source.open()) {
            RunKey.Choice all = new RunKey.Choice(scenario, "");
            List<RunRow> runs = RunTable.read(connection, all, most);
            if (runs.isEmpty()) {
                return new Latest(runs, 0);
            }
            RunKey.Choice these = new RunKey.Choice(scenario, runs.get(0).startedUtc());
            List<RunRow> whole = ReceiverTable.addTo(connection, runs, these);
            whole = StaleQuotesTable.addTo(connection, LatencyTable.addTo(connection, whole, these), these);
            return new Latest(whole, runs.size() < most ? runs.size() : RunTable.count(connection, all));
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /**
     * Runs of one verdict.
     *
     * @param day {@code uuuu-mm-dd}, in UTC
     */
    public record DayCount(String scenario, String remedy, String day, RunMark mark, long runs) {}

    /** Returns how many runs of each verdict there were on each day; of one scenario, or of all with {@code null}. */
    public List<DayCount> days(@Nullable String scenario) {
        try (Connection connection = source.open()) {
            return RunTable.days(connection, new RunKey.Choice(scenario, ""));
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /** The stalls of a scenario's runs that are as another run was; see {@link RunCase}, whatever the seed. */
    public List<StallRow> stalls(RunCase like) {
        try (Connection connection = source.open()) {
            return StallTable.read(connection, like);
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /**
     * Writes a table as CSV.
     *
     * @param scenario only of its runs; {@code null}: of all
     * @return the number of rows
     * @throws java.io.UncheckedIOException it cannot be written
     */
    public long export(HistoryTable table, @Nullable String scenario, Appendable out) {
        try (Connection connection = source.open()) {
            return table.write(connection, scenario, out);
        } catch (SQLException e) {
            throw failure("read", e);
        }
    }

    /** A use of the database, for tables of other packages. */
    @FunctionalInterface
    public interface Work<T> {
        /** Reads or writes; what it returns must not need the connection. */
        T apply(Connection connection) throws SQLException;
    }

    /**
     * Does something in one transaction, all of it or nothing.
     *
     * @throws HistoryException it cannot be done
     */
    public <T> T transact(Work<T> work) {
        try (Connection connection = source.open()) {
            connection.setAutoCommit(false);
            try {
                T result = work.apply(connection);
                connection.commit();
                return result;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            throw failure("written", e);
        }
    }

    private HistoryException failure(String what, SQLException e) {
        return new HistoryException(
                "history " + url + " cannot be " + what + ": " + url.mask(HistoryDatabase.reason(e)), e);
    }
}
