package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
final class ReasonTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("/a"), "/a: no such file or directory"),
                Arguments.of(new AccessDeniedException("/a"), "/a: permission denied"),
                Arguments.of(new FileAlreadyExistsException("/a"), "/a: it exists already"),
                Arguments.of(new NotDirectoryException("/a"), "/a: it is not a directory"),
                Arguments.of(new FileSystemLoopException("/a"), "/a: its links lead back to it"),
                Arguments.of(new FileSystemException("/a"), "/a: it cannot be used"),
                Arguments.of(new FileSystemException("/a", null, "Too many open files"), "/a: Too many open files"),
                Arguments.of(new IOException(), "it cannot be read or written"),
                Arguments.of(new IllegalStateException(" "), "no reason was given"),
                Arguments.of(new IOException("Broken pipe"), "Broken pipe"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSayWhyInWords(Exception failure, String reason) {
        assertThat(Reason.of(failure)).isEqualTo(reason);
    }

    /** JDK 17 and JDK 25 say it in other words. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cannot run program \"docker\": error=2, No such file or directory        | No such file or directory",
                "Cannot run program \"a\" (in directory \"/b\"): error=13, Permission denied | Permission denied",
                "'Cannot run program \"docker\": Exec failed, error: 2 (No such file or directory) ' | No such file or directory",
                "Stream closed | Stream closed"
            })
    void shouldSayWhyAProgramDidNotStart(String message, String reason) {
        assertThat(Reason.ofStart(new IOException(message))).isEqualTo(reason);
    }

    @Test
    void shouldSayWhyNoProgramStarts() {
        assertThatThrownBy(() -> new ProcessBuilder("/nonexistent/program").start())
                .isInstanceOfSatisfying(IOException.class, failure -> assertThat(Reason.ofStart(failure))
                        .isEqualTo("No such file or directory"));
    }

    /** A wrapped exception quotes its cause with the name of the class; so does that one its own. */
    @Test
    void shouldReplaceWhatAMessageQuotes() {
        IOException lowest = new NoSuchFileException("/a");
        IOException middle = new IOException(lowest);
        assertThat(Reason.of(new UncheckedIOException(middle))).isEqualTo("/a: no such file or directory");
        assertThat(Reason.of(new IllegalStateException("cannot start: " + lowest, lowest)))
                .isEqualTo("cannot start: /a: no such file or directory");
    }
}
