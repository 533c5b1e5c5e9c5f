package org.naklab.lab.scenarios.evidence;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.lab.core.OutputFile;

/**
 * Keeps room on the disk for a run's own documents while the run fills it: a file that is written at the beginning and deleted when
 * the documents are to be written.
 */
public final class Reserve implements AutoCloseable {
    /** Several times what {@code run.json}, {@code diagnosis.json}, the report and the history's row take. */
    static final int BYTES = 8 << 20;

    private static final int BLOCK_BYTES = 1 << 16;

    private final Path file;
    private final Unkept unkept;

    private Reserve(Path file, Unkept unkept) {
        this.file = file;
        this.unkept = unkept;
    }

    /** Takes the room; that there is none is noted, and the run goes on without. */
    public static Reserve in(Path directory, Unkept unkept) {
        Reserve reserve = new Reserve(directory.resolve(".reserve"), unkept);
        unkept.attempt(reserve::fill);
        return reserve;
    }

    /** Writes zeros rather than setting the length: a file system allocates no space for a hole. */
    private void fill() {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = OutputFile.create(file)) {
            for (int i = 0; i < BYTES / BLOCK_BYTES; i++) {
                out.write(block);
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("no room for the run's documents, " + file + ": " + e.getMessage(), e);
        }
    }

    /** Gives the room back. */
    @Override
    public void close() {
        unkept.attempt(this::delete);
    }

    private void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + file + ": " + e.getMessage(), e);
        }
    }
}
