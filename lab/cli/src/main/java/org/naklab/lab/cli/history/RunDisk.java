package org.naklab.lab.cli.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.LabException;

/** Measures and deletes directories of runs. */
public final class RunDisk {
    private RunDisk() {}

    /** Returns the bytes on disk of a directory, or 0 if there is none; follows no link. */
    public static long bytes(Path directory) {
        AtomicLong bytes = new AtomicLong();
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes.addAndGet(attributes.size());
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.get();
    }

    /**
     * Deletes a directory with all that is in it; follows no link.
     *
     * @throws LabException it cannot be deleted
     */
    public static void delete(Path tree) {
        try {
            FileTrees.delete(tree);
        } catch (IOException e) {
            throw new LabException("cannot delete " + tree + ": " + e.getMessage(), e);
        }
    }
}
