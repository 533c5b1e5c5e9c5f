package org.naklab.lab.workshop.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;

/** A file of the workshop's directory that only its owner can read. */
final class PrivateFile {
    private PrivateFile() {}

    /**
     * Replaces the file in one step.
     *
     * @throws InputException it cannot be written; what it was before it is still
     */
    static void replace(Path file, Object value) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            Json.writePrivately(fresh, value);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | UncheckedIOException e) {
            throw new InputException("the file " + file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
