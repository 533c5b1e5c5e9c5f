package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StolenTimeTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadTheStealOfAllProcessors() throws IOException {
        Path stat = directory.resolve("stat");
        Files.writeString(
                stat, "cpu  3526200 252351 491723 2613679 12974 0 26521 98737 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
        try (StolenTime time = new StolenTime(stat)) {
            assertThat(time.read()).isTrue();
            assertThat(time.stolenNs()).isEqualTo(987_370_000_000L);
            Files.writeString(stat, "cpu  3526200 252351 491723 2613679 12974 0 26521 98740 0 0\n");
            assertThat(time.read()).isTrue();
            assertThat(time.stolenNs()).isEqualTo(987_400_000_000L);
            Files.writeString(stat, "");
            assertThat(time.read()).isFalse();
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchFile() {
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> new StolenTime(absent))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("absent");
    }
}
