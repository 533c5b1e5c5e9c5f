package org.naklab.lab.runs.history.detail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.series.SeriesName;

@Timeout(60)
final class SampleSecondTest {
    private static final SeriesName DROPS = SeriesName.of("socket.mds.0.0.0.0:1#2.drops");

    @TempDir
    private Path directory;

    @Test
    void shouldGiveEachSecondItsExtremesAndItsLastValue() throws IOException {
        Path file = write("""
                1500000000,socket.mds.0.0.0.0:1#2.drops,5
                1999999999,socket.mds.0.0.0.0:1#2.drops,9
                2000000000,socket.mds.0.0.0.0:1#2.drops,3
                2400000000,memory.freeBytes,-4
                """);

        assertThat(SampleSecond.read(file, 7_000_000_000L).seconds())
                .containsExactlyInAnyOrder(
                        new SampleSecond(DROPS, 8, 2, 5, 9, 9),
                        new SampleSecond(DROPS, 9, 1, 3, 3, 3),
                        new SampleSecond(SeriesName.of("memory.freeBytes"), 9, 1, -4, -4, -4));
    }

    @Test
    void shouldReadAsFarAsAKilledRunWrote() throws IOException {
        Path file = write("1500000000,socket.mds.0.0.0.0:1#2.drops,5\n".repeat(10_000));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 12));

        assertThat(SampleSecond.read(file, 0).seconds())
                .extracting(SampleSecond::epochSecond)
                .containsExactly(1L);
    }

    @Test
    void shouldNameTheRowThatIsNone() throws IOException {
        Path file = write("1500000000,memory.freeBytes,5\nnonsense\n");

        assertThatThrownBy(() -> SampleSecond.read(file, 0))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("row 3");
    }

    @Test
    void shouldBeEmptyWithoutAFile() {
        assertThat(SampleSecond.read(directory.resolve("none"), 0)).isEqualTo(new SampleSecond.Rows(List.of(), 0));
    }

    @Test
    void shouldCountWhatItHasNoRowFor() throws IOException {
        Path file = write("""
                1000000000,a,1
                2000000000,a,2
                3000000000,a,3
                3000000000,b,4
                """);

        assertThat(SampleSecond.read(file, 0, 4).leftOut()).isZero();
        SampleSecond.Rows cut = SampleSecond.read(file, 0, 2);
        assertThat(cut.seconds()).hasSize(2);
        assertThat(cut.leftOut()).isEqualTo(2);
    }

    private Path write(String rows) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
            zipped.write(("time_ns,series,value\n" + rows).getBytes(StandardCharsets.UTF_8));
        }
        return Files.write(directory.resolve("samples.csv.gz"), bytes.toByteArray());
    }
}
