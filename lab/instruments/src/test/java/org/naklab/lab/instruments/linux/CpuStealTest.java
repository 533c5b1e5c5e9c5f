package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.testing.TestFiles;

final class CpuStealTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadTheStealOfEachProcessor() throws IOException {
        Path stat = TestFiles.stat(directory, 49_360, 49_377);
        try (CpuSteal time = new CpuSteal(stat)) {
            assertThat(time.processors()).isEqualTo(2);
            assertThat(time.read()).isTrue();
            assertThat(time.stolenNs(0)).isEqualTo(493_600_000_000L);
            assertThat(time.stolenNs(1)).isEqualTo(493_770_000_000L);
            TestFiles.stat(directory, 49_360, 49_380);
            assertThat(time.read()).isTrue();
            assertThat(time.stolenNs(0)).isEqualTo(493_600_000_000L);
            assertThat(time.stolenNs(1)).isEqualTo(493_800_000_000L);
            Files.writeString(stat, "");
            assertThat(time.read()).isFalse();
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchFile() {
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> new CpuSteal(absent))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("absent");
    }
}
