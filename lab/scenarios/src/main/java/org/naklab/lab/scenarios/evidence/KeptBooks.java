package org.naklab.lab.scenarios.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BookViewer;
import org.naklab.lab.core.books.BooksFile;

/** Writes the books of a run as long as they can be written and the file is not too long, and shows them to viewers. Thread-safe. */
public final class KeptBooks implements BookViewer, AutoCloseable {
    private static final long MAX_CHARACTERS = 64L << 20;

    private final Path file;
    private final Unkept unkept;
    private final List<BookViewer> viewers;
    private @Nullable Writer writer;
    private long written;

    /**
     * Prepares the file, which is created when there are books.
     *
     * @param viewers that are shown all books
     */
    public KeptBooks(Path file, Unkept unkept, List<BookViewer> viewers) {
        this.file = file;
        this.unkept = unkept;
        this.viewers = List.copyOf(viewers);
    }

    @Override
    public synchronized void onBooks(List<BookView> books) {
        viewers.forEach(viewer -> viewer.onBooks(books));
        if (written < MAX_CHARACTERS) {
            String line = BooksFile.line(books) + "\n";
            written = unkept.attempt(() -> write(line)) ? written + line.length() : MAX_CHARACTERS;
        }
    }

    private void write(String line) {
        try {
            if (writer == null) {
                writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
            }
            writer.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        Writer open = writer;
        writer = null;
        written = MAX_CHARACTERS;
        if (open != null) {
            unkept.attempt(() -> close(open));
        }
    }

    private void close(Writer open) {
        try {
            open.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
