package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class FreeMemorySawTest {
    /** Free memory in units of 256 KiB: 32 of them are short, 4 are a tooth. */
    @ParameterizedTest
    @CsvSource({
        "100 60 31 20 12 12 12, 0",
        "100 60 31 35 30 29 28, 1",
        "100 60 20 24 10 14 9 13, 3",
        "100 60 20 23 20 23 20 23, 0",
        "100 60 40 60 40 60 40 60, 0",
        "12 20 28 40 60, 1",
    })
    void shouldCountRisesAfterMemoryWasShort(String readings, int teeth) {
        assertThat(FreeMemorySaw.teeth(Arrays.stream(readings.split(" ", -1))
                        .map(reading -> Long.parseLong(reading) << 18)
                        .toList()))
                .isEqualTo(teeth);
    }

    @Test
    void shouldReadTheGroupOfTheServiceFromATimeOn(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("samples.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("""
                    time_ns,series,value
                    10,cgroup.mds.freeBytes,1000
                    20,cgroup.mds.freeBytes,5000000
                    30,cgroup.mds.freeBytes,2000
                    40,cgroup.gateway-1.freeBytes,9000000
                    50,cgroup.mds.freeBytes,6000000
                    """.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(FreeMemorySaw.teeth(file, 0)).isEqualTo(2);
        assertThat(FreeMemorySaw.teeth(file, 20)).isEqualTo(1);
    }
}
