package org.naklab.lab.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
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
}
