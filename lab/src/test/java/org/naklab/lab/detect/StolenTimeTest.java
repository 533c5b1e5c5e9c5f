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
    void shouldReadTheStealOfEachProcessor() throws IOException {
        Path stat = directory.resolve("stat");
        write(stat, 49_360, 49_377);
        try (StolenTime time = new StolenTime(stat)) {
            assertThat(time.processors()).isEqualTo(2);
            assertThat(time.read()).isTrue();
            assertThat(time.stolenNs(0)).isEqualTo(493_600_000_000L);
            assertThat(time.stolenNs(1)).isEqualTo(493_770_000_000L);
            write(stat, 49_360, 49_380);
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
        assertThatThrownBy(() -> new StolenTime(absent))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("absent");
    }

    private static void write(Path stat, long first, long second) throws IOException {
        String all = "cpu  3526200 252351 491723 2613679 12974 0 26521 " + (first + second) + " 0 0\n";
        Files.writeString(
                stat,
                all + processor(0, first) + processor(1, second)
                        + "intr 70230000 0 0 0\nctxt 1990473\nbtime 1062191376\nprocesses 2915\n");
    }

    private static String processor(int index, long steal) {
        return "cpu" + index + " 1763100 126175 245861 1306839 6487 0 13260 " + steal + " 0 0\n";
    }
}
