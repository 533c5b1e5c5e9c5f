package org.naklab.lab.terminal.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RunDiskTest {
    private static final int OUTSIDE_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private Path run;
    private Path outside;

    @BeforeEach
    void prepare() throws IOException {
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.write(outside.resolve("file"), new byte[OUTSIDE_BYTES]);
        run = Files.createDirectories(directory.resolve("run"));
        Files.writeString(Files.createDirectory(run.resolve("journal")).resolve("a"), "1234567");
        Files.writeString(run.resolve("run.json"), "{}");
        Files.createSymbolicLink(run.resolve("linked"), outside);
    }

    @Test
    void shouldMeasureItsOwnFilesOnly() throws IOException {
        assertThat(RunDisk.bytes(run)).isBetween(9L, (long) OUTSIDE_BYTES - 1);
        assertThat(RunDisk.bytes(run.resolve("linked")))
                .as("a link is no directory of a run")
                .isZero();
        assertThat(RunDisk.bytes(directory.resolve("none"))).isZero();
    }

    @Test
    void shouldMeasureWithoutHolesWhatTheDiskHolds() throws IOException {
        long holeBytes = 64L << 20;
        try (RandomAccessFile file =
                new RandomAccessFile(run.resolve("journal/hole").toFile(), "rw")) {
            file.setLength(holeBytes);
        }
        assertThat(RunDisk.bytes(run)).isGreaterThan(holeBytes);
        assertThat(RunDisk.allocatedBytes(run)).isBetween(0L, (long) OUTSIDE_BYTES - 1);
    }

    @Test
    void shouldDeleteARunAndNothingToWhichItLinks() {
        RunDisk.delete(run);
        assertThat(run).doesNotExist();
        assertThat(outside.resolve("file")).hasSize(OUTSIDE_BYTES);
    }
}
