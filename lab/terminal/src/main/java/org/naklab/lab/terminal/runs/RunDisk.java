package org.naklab.lab.terminal.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.LabException;

/** Measures and deletes directories of runs. */
public final class RunDisk {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}");

    private RunDisk() {}

    /** Returns the sum of the lengths of all files of a directory, or 0 if there is none; follows no link. Holes count. */
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
     * Returns the space that a directory takes on its disk, by {@code du}. It is less than {@link #bytes}, because the files of a journal have holes.
     *
     * @return the sum of the lengths of the files if there is no {@code du}
     */
    public static long allocatedBytes(Path directory) {
        try {
            Process du = new ProcessBuilder("du", "-s", "-k", directory.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Matcher kibibytes = NUMBER.matcher(new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return kibibytes.lookingAt() ? Long.parseLong(kibibytes.group()) * 1024 : bytes(directory);
        } catch (IOException e) {
            return bytes(directory);
        }
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
