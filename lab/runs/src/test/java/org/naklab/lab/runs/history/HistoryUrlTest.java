package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HistoryUrlTest {
    @Test
    void shouldBeAFileAmongTheRunsByDefault() {
        assertThat(HistoryUrl.inRuns(Path.of("/data/runs")).file()).isEqualTo(Path.of("/data/runs/history.db"));
    }

    @Test
    void shouldNotShowCredentials() {
        assertThat(HistoryUrl.of("jdbc:postgresql://db:5432/lab?user=me&password=secret"))
                .hasToString("jdbc:postgresql://db:5432/lab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "history.db",
                "jdbc:sqlite:",
                "jdbc:mysql://db/lab?password=secret",
                "jdbc:postgresql://db:port/lab?password=secret",
                "postgresql://me:secret@db/lab"
            })
    void shouldRefuseWhatIsNeitherWithoutShowingCredentials(String url) {
        assertThatThrownBy(() -> HistoryUrl.of(url))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("jdbc:sqlite:FILE")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldSayInOneLineThatNobodyAnswers() {
        HistoryUrl nobody = HistoryUrl.of("jdbc:postgresql://127.0.0.1:1/lab?user=me&password=secret");
        assertThatThrownBy(() -> History.open(nobody))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("jdbc:postgresql://127.0.0.1:1/lab cannot be opened")
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("\n");
    }
}
