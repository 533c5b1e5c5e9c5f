package org.naklab.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.LongStream;

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

    /**
     * A {@code /proc/stat}, as it is or changed.
     *
     * @param stolen hundredths of a second that each processor lost
     */
    public static Path stat(Path directory, long... stolen) {
        StringBuilder text = new StringBuilder("cpu  3526200 252351 491723 2613679 12974 0 26521 "
                        + LongStream.of(stolen).sum())
                .append(" 0 0\n");
        for (int i = 0; i < stolen.length; i++) {
            text.append("cpu" + i + " 1763100 126175 245861 1306839 6487 0 13260 ")
                    .append(stolen[i])
                    .append(" 0 0\n");
        }
        text.append("intr 70230000 0 0 0\nctxt 1990473\nbtime 1062191376\nprocesses 2915\n");
        try {
            return Files.writeString(directory.resolve("stat"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
