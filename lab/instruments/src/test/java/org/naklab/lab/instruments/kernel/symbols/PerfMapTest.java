package org.naklab.lab.instruments.kernel.symbols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.Libc;

/** The map lies in a directory in which everybody can put a file of its name. */
@Timeout(60)
final class PerfMapTest {
    private static final StackFrame FRAME = new StackFrame(0x7f0000001010L, "", 0, "");

    @TempDir
    private Path directory;

    private Path file;
    private int self;

    @BeforeEach
    void find() throws IOException {
        file = directory.resolve("perf-1.map");
        self = ForeignFile.userOf(ProcessHandle.current().pid());
    }

    @Test
    void shouldNameCodeThatAJvmCompiled() throws IOException {
        Files.writeString(
                file, "7f0000001000 80 long org.example.Handler.onMessage(long)\n0x7f0000002000 10 vtable chunks\n");
        PerfMap map = PerfMap.read(file, self);

        assertThat(map.resolve(FRAME))
                .isEqualTo(new StackFrame(0x7f0000001010L, "long org.example.Handler.onMessage(long)", 0x10, "[jit]"));
        StackFrame unknown = new StackFrame(0x7f0000001080L, "", 0, "");
        assertThat(map.resolve(unknown)).isSameAs(unknown);
    }

    @Test
    void shouldLeaveOutLinesThatAreNoEntry() throws IOException {
        Files.writeString(file, "zz yy x\n\n7f0000001000\n7f0000001000 80 a.B.c\n-1 -1 d\nffffffffffffffffff 1 e\n");
        assertThat(PerfMap.read(file, self).resolve(FRAME).symbol()).isEqualTo("a.B.c");
    }

    /** To open a FIFO for reading waits until somebody writes. */
    @Test
    void shouldNotWaitForAFifo() {
        assumeTrue(Libc.mkfifo(file.toString(), 0600) == 0, "a FIFO can be made");
        assertThatIOException().isThrownBy(() -> PerfMap.read(file, self)).withMessageContaining("is no regular file");
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        assertThatIOException().isThrownBy(() -> PerfMap.read(file, self));
        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(directory.resolve("other"), "7f0000001000 80 a.B.c\n"));
        assertThatIOException().isThrownBy(() -> PerfMap.read(file, self));
    }

    @Test
    void shouldReadNoFileOfAnotherUser() throws IOException {
        Files.writeString(file, "7f0000001000 80 a.B.c\n");
        assumeTrue(self == 0, "only root can give a file away");
        Files.setAttribute(file, "unix:uid", 65534);
        assertThatIOException()
                .isThrownBy(() -> PerfMap.read(file, self))
                .withMessageContaining("belongs to user 65534");
    }

    @Test
    void shouldReadNoHugeFile() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        assertThatIOException().isThrownBy(() -> PerfMap.read(file, self)).withMessageContaining("more than");
    }
}
