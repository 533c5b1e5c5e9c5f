package org.naklab.lab.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists the directories in a directory. */
public final class Subdirectories {
    private Subdirectories() {}

    /**
     * Returns the directories in a directory, in no order; a link to a directory is none.
     *
     * @param parent none are returned if it is no directory
     * @throws UncheckedIOException if it cannot be read
     */
    public static List<Path> of(Path parent) {
        List<Path> directories = new ArrayList<>();
        if (!Files.isDirectory(parent)) {
            return directories;
        }
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(parent, entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
            entries.forEach(directories::add);
        } catch (DirectoryIteratorException e) {
            throw new UncheckedIOException(e.getCause());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directories;
    }
}
