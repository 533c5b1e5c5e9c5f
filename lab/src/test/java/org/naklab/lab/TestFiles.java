package org.naklab.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Files that tests put where the program reads them. */
public final class TestFiles {
    private TestFiles() {}

    /** The start of NASDAQ's AAPL order flow of 2012-06-21, from LOBSTER's public sample. */
    public static Path aaplMessages(Path directory) {
        return copy("aapl/message.csv", directory);
    }

    /** LOBSTER's own book after each of those messages. */
    public static Path aaplOrderBook(Path directory) {
        return copy("aapl/orderbook.csv", directory);
    }

    private static Path copy(String resource, Path directory) {
        Path file = directory.resolve(Path.of(resource).getFileName());
        try (InputStream in = Objects.requireNonNull(TestFiles.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
