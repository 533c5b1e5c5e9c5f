package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    void shouldSayInOneLineThatItsDirectoryCannotBe() throws IOException {
        Path file = Files.writeString(runs.resolve("file"), "");
        assertThatThrownBy(() -> History.open(HistoryUrl.inRuns(file)))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageNotContaining("\n");
    }
}
