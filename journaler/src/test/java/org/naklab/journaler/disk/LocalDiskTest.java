package org.naklab.journaler.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LocalDiskTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int BYTES_PER_BLOCK = 512;

    @TempDir
    Path temporary;

    @Test
    void shouldAllocateBlocks() throws Exception {
        shouldAllocateBlocks(LocalDisk.INSTANCE);
    }

    @Test
    void shouldAllocateBlocksWithoutTheSystemsHelp() throws Exception {
        shouldAllocateBlocks(new LocalDisk((file, offset, lengthBytes) -> "Operation not supported"));
    }

    private void shouldAllocateBlocks(Disk disk) throws Exception {
        Path file = temporary.resolve("file");

        disk.allocate(file, 0, MEBIBYTE);
        assertThat(Files.size(file)).isEqualTo(MEBIBYTE);
        disk.allocate(file, MEBIBYTE, MEBIBYTE);

        assertThat(Files.size(file)).isEqualTo(2 * MEBIBYTE);
        assertThat(allocatedBytes(file)).isGreaterThanOrEqualTo(2 * MEBIBYTE);
    }

    @Test
    void shouldKeepWhatIsThere() throws Exception {
        shouldKeepWhatIsThere(LocalDisk.INSTANCE);
    }

    @Test
    void shouldKeepWhatIsThereWithoutTheSystemsHelp() throws Exception {
        shouldKeepWhatIsThere(new LocalDisk((file, offset, lengthBytes) -> "Operation not supported"));
    }

    private void shouldKeepWhatIsThere(Disk disk) throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "content");

        disk.allocate(file, 0, 100_000);

        assertThat(Files.readString(file)).startsWith("content\0").hasSize(100_000);
    }

    @Test
    void shouldSayThatAFileCannotBeMade() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> LocalDisk.INSTANCE.allocate(temporary.resolve("none/file"), 0, 1));
    }

    @Test
    void shouldForceADirectoryEvenWhenInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        try {
            LocalDisk.INSTANCE.force(temporary);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static long allocatedBytes(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        return Long.parseLong(blocks.strip()) * BYTES_PER_BLOCK;
    }
}
