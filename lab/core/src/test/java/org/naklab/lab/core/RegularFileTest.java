package org.naklab.lab.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RegularFileTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadAFileOfAsManyBytesAsAreAllowed() throws IOException {
        Path file = Files.writeString(directory.resolve("run.json"), "12345");
        assertThat(new String(RegularFile.read(file, 5), UTF_8)).isEqualTo("12345");
        assertThatThrownBy(() -> RegularFile.read(file, 4))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " has more than 4 bytes");
    }

    @Test
    void shouldOpenNoLinkAndNoDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "x");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        for (Path other : new Path[] {link, directory}) {
            assertThatThrownBy(() -> RegularFile.read(other, 10))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("is not a regular file");
        }
        assertThatThrownBy(() -> RegularFile.read(directory.resolve("none"), 10))
                .isInstanceOf(NoSuchFileException.class);
    }

    /** To open a pipe that nobody writes to waits for ever. */
    @Test
    void shouldOpenNoPipe() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo makes no pipe here");
        assertThatThrownBy(() -> RegularFile.read(pipe, 10)).hasMessageContaining("is not a regular file");
    }

    @Test
    void shouldListDirectoriesAndNoLinksToSome() throws IOException {
        Path child = Files.createDirectory(directory.resolve("child"));
        Files.createSymbolicLink(directory.resolve("link"), child);
        Path file = Files.writeString(directory.resolve("file"), "x");

        assertThat(Subdirectories.of(directory)).containsExactly(child);
        assertThat(Subdirectories.of(file)).isEmpty();
        assertThat(Subdirectories.of(directory.resolve("none"))).isEmpty();
    }
}
