package org.naklab.lab.runs.history;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.UsageException;

/**
 * The location of a history: a JDBC URL of SQLite or PostgreSQL.
 *
 * @param jdbc the URL, perhaps with credentials: not for messages
 * @param credentials that the URL need not have
 */
public record HistoryUrl(String jdbc, Credentials credentials) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String POSTGRESQL = "jdbc:postgresql:";
    /** Hosts with or without ports, or none; the driver logs what it refuses, credentials and all. */
    private static final Pattern SERVER =
            Pattern.compile("(?i)jdbc:postgresql:(//[^/?:@,]*(:\\d{1,5})?(,[^/?:@,]+(:\\d{1,5})?)*/)?[^/?@:]*(\\?.*)?");

    HistoryUrl(String jdbc) {
        this(jdbc, Credentials.NONE);
    }

    /**
     * Returns the requested location, with the credentials from the environment of this process.
     *
     * @throws UsageException neither of the two
     */
    public static HistoryUrl of(String url) {
        return of(url, System.getenv());
    }

    /** Returns the requested location, with the credentials from another environment. */
    static HistoryUrl of(String url, Map<String, String> environment) {
        String lower = url.toLowerCase(Locale.ROOT);
        boolean isFile = lower.startsWith(SQLITE) && lower.length() > SQLITE.length();
        boolean isServer = SERVER.matcher(url).matches();
        if (!isFile && !isServer) {
            throw new UsageException("a history is " + SQLITE + "FILE or " + POSTGRESQL + "//HOST:PORT/DATABASE, not '"
                    + new HistoryUrl(url) + "'");
        }
        return new HistoryUrl(url, Credentials.of(environment));
    }

    /** The usual one: {@code history.db} beside the scenarios' directories. */
    public static HistoryUrl inRuns(Path runs) {
        return new HistoryUrl(SQLITE + runs.toAbsolutePath().normalize().resolve("history.db"));
    }

    /** Returns true for an SQLite history. */
    public boolean isFile() {
        return jdbc.toLowerCase(Locale.ROOT).startsWith(SQLITE);
    }

    /** Returns the file of an SQLite history. */
    public Path file() {
        return Path.of(jdbc.substring(SQLITE.length()).replaceFirst("\\?.*$", ""));
    }

    /** A driver's message without the credentials. */
    String mask(String message) {
        Map<String, String> environment =
                credentials.password() == null ? Map.of() : Map.of("PGPASSWORD", credentials.password());
        return Secrets.of(List.of(jdbc), environment).mask(message);
    }

    /** Returns the location without credentials, for messages. */
    @Override
    public String toString() {
        return jdbc.replaceFirst("\\?.*$", "").replaceFirst("//[^/@]*@", "//");
    }
}
