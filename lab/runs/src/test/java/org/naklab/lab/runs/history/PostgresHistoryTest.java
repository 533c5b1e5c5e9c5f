package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.database.PostgresServer;

/** One server, and a database for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class PostgresHistoryTest extends HistoryContract {
    private @Nullable PostgresServer server;
    private HistoryUrl url = new HistoryUrl("");

    @BeforeAll
    void startServer() throws Exception {
        Optional<Path> programs = PostgresServer.programs();
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed (Debian: apt-get install postgresql)");
        server = PostgresServer.start(programs.orElseThrow());
    }

    @AfterAll
    void stopServer() throws Exception {
        if (server != null) {
            server.stop();
        }
    }

    @BeforeEach
    void makeDatabase(TestInfo test) throws SQLException {
        String name = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        if (server != null) {
            url = HistoryUrl.of(server.urlOfNew(name.substring(0, Math.min(60, name.length()))));
        }
    }

    @Override
    HistoryUrl url() {
        return url;
    }

    @Test
    void shouldNotTellCredentialsWhenTheServerRefuses() {
        HistoryUrl wrong = HistoryUrl.of(url.jdbc().replace("not+", "quite+"));
        assertThatThrownBy(() -> History.open(wrong))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageContaining("authentication failed")
                .hasMessageNotContaining("quite")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldTakeCredentialsFromTheEnvironment() {
        String bare = url.jdbc().replaceFirst("\\?.*$", "");
        HistoryUrl given = HistoryUrl.of(bare, Map.of("PGUSER", "naklab", "PGPASSWORD", PostgresServer.PASSWORD));
        History.open(given).add(TestRuns.mystery("2026-11-21T03:26:10.052Z", 42));
        assertThat(History.open(given).runs(null)).hasSize(1);
        HistoryUrl wrong = HistoryUrl.of(bare, Map.of("PGUSER", "naklab", "PGPASSWORD", "quite wrong"));
        assertThatThrownBy(() -> History.open(wrong))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("authentication failed")
                .hasMessageNotContaining("quite wrong");
    }

    /** The driver reads it by itself; here its name is a system property, which a test can set. */
    @Test
    void shouldTakeThePasswordFromAFileOfPasswords(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("pgpass"), "*:*:*:naklab:" + PostgresServer.PASSWORD + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        System.setProperty("org.postgresql.pgpassfile", file.toString());
        try {
            HistoryUrl bare = HistoryUrl.of(url.jdbc().replaceFirst("\\?.*$", ""), Map.of("PGUSER", "naklab"));
            assertThat(History.open(bare).runs(null)).isEmpty();
        } finally {
            System.clearProperty("org.postgresql.pgpassfile");
        }
    }
}
