package org.naklab.lab.core.books;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.RegularFile;

/** {@code books.jsonl}: a line for each moment at which the books of a run were looked at, in the order of time. */
public final class BooksFile {
    /** Name of the file in a run's directory. */
    public static final String NAME = "books.jsonl";

    private BooksFile() {}

    /** Tells what was seen at one moment. */
    private record Moment(List<BookView> books) {}

    /** Returns the line of a moment, without its end. */
    public static String line(List<BookView> books) {
        return Json.line(new Moment(books));
    }

    /**
     * Shows a viewer all moments of a file, one after the other. A line that is none, such as the last one of a killed run, is left out.
     *
     * @throws InputException if the file cannot be read
     */
    public static void read(Path file, BookViewer viewer) {
        try (BufferedReader lines =
                new BufferedReader(Channels.newReader(RegularFile.open(file), StandardCharsets.UTF_8))) {
            read(lines, viewer);
        } catch (IOException e) {
            throw new InputException("cannot read the books in " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Shows a viewer all moments of a file that is open.
     *
     * @throws IOException if it cannot be read
     */
    public static void read(BufferedReader lines, BookViewer viewer) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<BookView> books = books(line);
            if (!books.isEmpty()) {
                viewer.onBooks(books);
            }
        }
    }

    private static List<BookView> books(String line) {
        try {
            Moment moment = Json.value(Json.parse(line), Moment.class);
            return moment == null || moment.books() == null ? List.of() : moment.books();
        } catch (JsonProcessingException | UncheckedIOException e) {
            return List.of();
        }
    }
}
