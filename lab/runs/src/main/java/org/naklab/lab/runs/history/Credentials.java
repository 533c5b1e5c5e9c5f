package org.naklab.lab.runs.history;

import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * User and password of a PostgreSQL server as its own programs take them from the environment. A password that is not there either, the
 * driver looks up in {@code ~/.pgpass}, or in the file that {@code PGPASSFILE} names.
 *
 * @param user of {@code PGUSER}; {@code null}: there is none
 * @param password of {@code PGPASSWORD}; {@code null}: there is none
 */
record Credentials(@Nullable String user, @Nullable String password) {
    static final Credentials NONE = new Credentials(null, null);

    static Credentials of(Map<String, String> environment) {
        return new Credentials(environment.get("PGUSER"), environment.get("PGPASSWORD"));
    }

    /** Returns the credentials that a URL does not contain, as properties of a connection. */
    Properties beside(String url) {
        Properties properties = new Properties();
        add(properties, url, "user", user);
        add(properties, url, "password", password);
        return properties;
    }

    private static void add(Properties properties, String url, String name, @Nullable String value) {
        if (value != null && !url.matches("(?s).*[?&]" + name + "=.*")) {
            properties.setProperty(name, value);
        }
    }

    @Override
    public String toString() {
        return "credentials";
    }
}
