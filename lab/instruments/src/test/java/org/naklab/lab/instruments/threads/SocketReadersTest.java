package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SocketReadersTest {
    private static final long INODE = 4_711;

    @Test
    void shouldTakeTheOnlyThreadForTheReaderOfASocketForWhichNobodyWaits() throws IOException {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            SocketReaders readers = new SocketReaders(
                    sleeping.pid(), () -> Set.of(INODE), inode -> Set.of(), ThreadLabels.ofProcess(sleeping.pid()));
            readers.lookAtFirst();
            assertThat(readers.of(INODE)).hasSize(1);
            assertThat(readers.all()).isEmpty();
        } finally {
            sleeping.destroyForcibly().onExit().join();
        }
    }

    /** Who receives is no guess: another thread may wait for the socket in its place. */
    @Test
    void shouldTakeTheThreadThatReceivedForTheReader() throws IOException {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            SocketReaders readers = new SocketReaders(
                    sleeping.pid(),
                    () -> Set.of(INODE),
                    inode -> inode == INODE ? Set.of("worker") : Set.of(),
                    ThreadLabels.ofProcess(sleeping.pid()));
            readers.lookAtFirst();
            assertThat(readers.of(INODE)).containsExactly("worker");
            assertThat(readers.all()).containsExactly("worker");
            assertThat(readers.watched().contains("worker")).isTrue();
        } finally {
            sleeping.destroyForcibly().onExit().join();
        }
    }

    @Test
    void shouldNotGuessTheReaderAmongSeveralThreads() {
        long pid = ProcessHandle.current().pid();
        SocketReaders readers =
                new SocketReaders(pid, () -> Set.of(INODE), inode -> Set.of(), ThreadLabels.ofProcess(pid));
        readers.lookAtFirst();
        assertThat(readers.of(INODE)).isEmpty();
    }
}
