package org.naklab.lab.history;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.naklab.lab.UsageException;

/**
 * Where a history is: a JDBC URL of SQLite or PostgreSQL.
 *
 * @param jdbc the URL, perhaps with credentials: not for messages
 */
public record HistoryUrl(String jdbc) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    /** Hosts with or without ports, or none; the driver logs what it refuses, credentials and all. */
    private static final Pattern SERVER =
            Pattern.compile("(?i)jdbc:postgresql:(//[^/?:@,]*(:\\d{1,5})?(,[^/?:@,]+(:\\d{1,5})?)*/)?[^/?@:]*(\\?.*)?");

    /**
     * What was asked for.
     *
     * @throws UsageException neither of the two
     */
    public static HistoryUrl of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        boolean isFile = lower.startsWith(SQLITE) && lower.length() > SQLITE.length();
        boolean isServer = SERVER.matcher(url).matches();
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
