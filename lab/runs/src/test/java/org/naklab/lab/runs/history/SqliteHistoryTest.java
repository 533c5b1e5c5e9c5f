package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.runs.history.detail.HistoryTable;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SqliteHistoryTest extends HistoryContract {
    @TempDir
    private Path runs;

    @Override
    HistoryUrl url() {
        return HistoryUrl.inRuns(runs);
    }

    @Test
    void shouldNotMakeOneToReadIt() {
        assertThatThrownBy(() -> History.openExisting(url()))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("no history yet");
    }

    @Test
    void shouldSayInOneLineThatAFileIsNoDatabase() throws IOException {
        Files.writeString(
                runs.resolve("history.db"), "this is not a database, and it is long enough to tell".repeat(9));
        assertThatThrownBy(() -> History.open(url()))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("history.db cannot be opened")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldKnowTheVersionOfItsLastMigration() {
        HistoryUrl url = url();
        History.open(url);
        MigrationInfo[] all = Flyway.configure(getClass().getClassLoader())
                .dataSource(url.jdbc(), null, null)
                .locations("classpath:org/naklab/lab/runs/history/migration")
                .load()
                .info()
                .all();
        MigrationInfo last = all[all.length - 1];
        assertThat(last.getState().isApplied()).isTrue();
        assertThat(String.valueOf(last.getVersion())).isEqualTo(HistoryDatabase.VERSION);
    }

    /** The database of a version whose last migration was V4, with one run. */
    @Test
    void shouldOpenAndMigrateADatabaseOfAnEarlierVersion() throws Exception {
        Flyway.configure(getClass().getClassLoader())
                .dataSource(url().jdbc(), null, null)
                .locations("classpath:org/naklab/lab/runs/history/migration")
                .target("4")
                .load()
                .migrate();
        try (Connection connection = DriverManager.getConnection(url().jdbc());
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO run VALUES ('host', '/runs/old', 'mystery', 'audited', 'none', 'lbtrm', 1,"
                    + " '2026-11-20T10:00:00.000Z', 'pass', 'clean', NULL, 9, 0, 0, 0, 0, 0, 0, 0, 0.0, '0.1.0', '17',"
                    + " '6.18', 'amd64', 'A Processor', 2, 8, NULL)");
        }
        HistoryEntry entry = TestRuns.mystery("2026-11-21T03:26:10.052Z", 42);

        History history = History.openExisting(url());
        history.add(entry);

        assertThat(history.runs(null))
                .extracting(RunRow::runDirectory)
                .containsExactly("/runs/old", entry.run().runDirectory());
        StringBuilder parts = new StringBuilder();
        assertThat(history.export(HistoryTable.STALL_PART, null, parts)).isEqualTo(2);
    }

    @Test
    void shouldSayInOneLineThatItsDirectoryCannotBe() throws IOException {
        Path file = Files.writeString(runs.resolve("file"), "");
        assertThatThrownBy(() -> History.open(HistoryUrl.inRuns(file)))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageNotContaining("\n");
    }
}
