package org.naklab.lab.history;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import org.naklab.lab.UsageException;

/**
 * Where a history is: a JDBC URL of SQLite or PostgreSQL.
 *
 * @param jdbc the URL, perhaps with credentials: not for messages
 */
public record HistoryUrl(String jdbc) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRESQL = "jdbc:postgresql:";

    /**
     * What was asked for.
     *
     * @throws UsageException neither of the two
     */
    public static HistoryUrl of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        boolean isFile = lower.startsWith(SQLITE) && lower.length() > SQLITE.length();
        boolean isServer = lower.startsWith(POSTGRESQL) && isWellFormed(url);
        if (!isFile && !isServer) {
            throw new UsageException("a history is " + SQLITE + "FILE or " + POSTGRESQL
                    + "//HOST:PORT/DATABASE?user=USER&password=PASSWORD, not '" + new HistoryUrl(url) + "'");
        }
        return new HistoryUrl(url);
    }

    /** The usual one: {@code history.db} beside the scenarios' directories. */
    public static HistoryUrl inRuns(Path runs) {
        return new HistoryUrl(SQLITE + runs.toAbsolutePath().normalize().resolve("history.db"));
    }

    /** A driver takes only what it can parse. */
    private static boolean isWellFormed(String url) {
        try {
            return DriverManager.getDriver(url) != null;
        } catch (SQLException e) {
            // Its message has the URL, credentials and all.
            return false;
        }
    }

    boolean isFile() {
        return jdbc.toLowerCase(Locale.ROOT).startsWith(SQLITE);
    }

    /** Of a history that is a file. */
    Path file() {
        return Path.of(jdbc.substring(SQLITE.length()).replaceFirst("\\?.*$", ""));
    }

    /** For messages: without credentials. */
    @Override
    public String toString() {
        return jdbc.replaceFirst("\\?.*$", "").replaceFirst("//[^/@]*@", "//");
    }
}
