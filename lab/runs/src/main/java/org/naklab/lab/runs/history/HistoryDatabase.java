package org.naklab.lab.runs.history;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Opens the two kinds of database, with their schema brought up to date. */
final class HistoryDatabase {
    private static final int BUSY_TIMEOUT_MS = 20_000;
    private static final String MIGRATIONS = "classpath:org/naklab/lab/runs/history/migration";

    /** The version of the last migration. */
    static final String VERSION = "11";

    /** The class of the error in PostgreSQL; SQLite has no such codes. */
    private static final String NO_SUCH_TABLE = "42";

    /** Timeout in seconds for settings that the URL does not contain, so that a server without answer does not block a run. */
    private static final Map<String, String> SERVER_DEFAULTS =
            Map.of("connectTimeout", "10", "socketTimeout", "30", "ApplicationName", "naklab");

    /** A file lock holds against other processes only. */
    private static final Lock MIGRATION = new ReentrantLock();

    private HistoryDatabase() {}

    /** Opens a connection; its user closes it. */
    interface Connections {
        Connection open() throws SQLException;
    }

    static Connections open(HistoryUrl url) {
        try {
            return url.isFile() ? openFile(url) : openServer(url);
        } catch (FlywayException | IOException | SQLException | LinkageError e) {
            throw new HistoryException("history " + url + " cannot be opened: " + url.mask(reason(e)), e);
        }
    }

    /** Returns the message of the root cause, on one line. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.toString() : root.getMessage();
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The lock goes with its channel. SQLite has no lock that would hold over a whole migration, so that two first runs would trip over each other. */
    private static Connections openFile(HistoryUrl url) throws IOException, SQLException {
        Path file = url.file().toAbsolutePath();
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_TIMEOUT_MS);
        config.enforceForeignKeys(true);
        // Readers and the writer do not wait for each other, and a row costs no wait for the disk.
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        // A transaction that writes takes its lock at once: one that had to upgrade later could be refused.
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl(url.jdbc());
        if (isCurrent(source::getConnection)) {
            return source::getConnection;
        }
        MIGRATION.lock();
        try (FileChannel channel = FileChannel.open(
                file.resolveSibling(file.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            channel.lock();
            requireDatabase(source);
            Flyway.configure(HistoryDatabase.class.getClassLoader())
                    .dataSource(source)
                    .locations(MIGRATIONS)
                    .load()
                    .migrate();
        } finally {
            MIGRATION.unlock();
        }
        return source::getConnection;
    }

    /** Returns whether nothing is to be migrated. Flyway takes longer to find that out than most commands take for the rest. */
    private static boolean isCurrent(Connections source) throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT version FROM flyway_schema_history WHERE success ORDER BY installed_rank DESC")) {
            return rows.next() && VERSION.equals(rows.getString(1));
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (state != null && !state.startsWith(NO_SUCH_TABLE)) {
                throw e;
            }
            // There is no schema yet, or a file is no database, which is told later.
            return false;
        }
    }

    /** Flyway would try a file that is no database fifty times. */
    private static void requireDatabase(SQLiteDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA schema_version");
        }
    }

    private static Connections openServer(HistoryUrl url) throws SQLException {
        Properties properties = url.credentials().beside(url.jdbc());
        String user = properties.getProperty("user");
        String password = properties.getProperty("password");
        properties.putAll(SERVER_DEFAULTS);
        Connections source = () -> DriverManager.getConnection(url.jdbc(), properties);
        if (isCurrent(source)) {
            return source;
        }
        Flyway.configure(HistoryDatabase.class.getClassLoader())
                .dataSource(url.jdbc(), user, password)
                .jdbcProperties(SERVER_DEFAULTS)
                .locations(MIGRATIONS)
                .load()
                .migrate();
        return source;
    }
}
