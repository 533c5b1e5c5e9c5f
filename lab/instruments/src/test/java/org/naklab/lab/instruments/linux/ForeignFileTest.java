package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The other process makes the file, and names the directory. */
@Timeout(20)
final class ForeignFileTest {
    private static final int MOST_BYTES = 100;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream copied = new ByteArrayOutputStream();
    private Path file;
    private int self;

    @BeforeEach
    void find() throws IOException {
        file = directory.resolve("dumped");
        self = ForeignFile.userOf(ProcessHandle.current().pid());
    }

    @Test
    void shouldCopyAFileOfThatUser() throws IOException {
        Files.writeString(file, "events");
        ForeignFile.copy(file, self, MOST_BYTES, copied);
        assertThat(copied).hasToString("events");
    }

    @Test
    void shouldCopyNoFifoLinkOrDevice() throws IOException {
        assumeTrue(Libc.mkfifo(file.toString(), 0600) == 0, "a FIFO can be made");
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("is no regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(directory.resolve("secret"), "ours"));
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("is no regular file");
        file = Path.of("/dev/zero");
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("is no regular file");
        assertThat(copied.size()).isZero();
    }

    @Test
    void shouldCopyNoFileOfAnotherUser() throws IOException {
        Files.writeString(file, "ours");
        assumeTrue(self == 0, "only root can give a file away");
        Files.setAttribute(file, "unix:uid", 65533);
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("belongs to user 65533");
    }

    @Test
    void shouldCopyNoMoreThanThat() throws IOException {
        Files.writeString(file, "x".repeat(MOST_BYTES + 1));
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("more than " + MOST_BYTES);
    }

    @Test
    void shouldSayWhoseADirectoryIsAndWhatToDo() throws IOException {
        Files.createFile(directory.resolve("chunk.jfr"));
        ForeignFile.requireFilesIn(directory, ".jfr", self);
        int other = self + 1;
        assertThatIOException()
                .isThrownBy(() -> ForeignFile.requireFilesIn(directory, ".jfr", other))
                .withMessageContaining("belongs to user " + self + " and the process runs as user " + other)
                .withMessageContaining("start the process with a directory of its own user");
    }

    @Test
    void shouldTellAFileFromADirectoryOfAnotherUser() throws IOException {
        Files.createFile(file);
        assertThatIOException()
                .isThrownBy(() -> ForeignFile.requireFilesIn(file, ".jfr", self))
                .withMessageEndingWith("is not a directory");
    }

    @Test
    void shouldOpenNoMappedFileThatIsNoLibrary() throws IOException {
        try (FileChannel sparse = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.allocate(1), 4L << 30);
        }
        assertThatIOException()
                .isThrownBy(() -> ForeignFile.openMapped(file))
                .withMessageContaining("more than " + (4L << 30));
        assertThatIOException()
                .isThrownBy(() -> ForeignFile.openMapped(file, 0))
                .withMessageContaining("more than " + (4L << 30));
        Files.delete(file);
        assumeTrue(Libc.mkfifo(file.toString(), 0600) == 0, "a FIFO can be made");
        assertThatIOException()
                .isThrownBy(() -> ForeignFile.openMapped(file, 0))
                .withMessageContaining("is no regular file");
    }

    /** No path can have the character 0, whatever the locale. */
    @Test
    void shouldLeaveOutAWayThatNoPathCanWrite() {
        Path process = Path.of("/proc/1");
        assertThat(ForeignFile.waysTo(process, new MemoryMapping(0x1000, 0x2000, "r-xp", 0, 7, "/lib/a.so")))
                .containsExactly(Path.of("/proc/1/map_files/1000-2000"), Path.of("/proc/1/root/lib/a.so"));
        assertThat(ForeignFile.waysTo(process, new MemoryMapping(0x1000, 0x2000, "r-xp", 0, 7, "/lib/a\0.so")))
                .containsExactly(Path.of("/proc/1/map_files/1000-2000"));
    }

    private void copy() throws IOException {
        ForeignFile.copy(file, self, MOST_BYTES, copied);
    }
}
