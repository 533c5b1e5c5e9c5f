package org.naklab.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes directory trees. A symbolic link is deleted itself; what it points to is never touched, not even when another process
 * puts the link in place of a directory at the wrong moment: each directory is opened relative to its parent, without following links.
 */
public final class FileTrees {
    private FileTrees() {}

    /**
     * Deletes a file or a directory with all that is in it. Does nothing when there is none.
     *
     * @throws IOException when something of it remains
     */
    public static void delete(Path tree) throws IOException {
        Path absolute = tree.toAbsolutePath();
        Path parent = absolute.getParent();
        Path name = absolute.getFileName();
        if (parent == null || name == null) {
            throw new IOException("will not delete " + tree);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            if (entries instanceof SecureDirectoryStream<Path> secure) {
                deleteEntry(secure, name);
            } else {
                deleteByPath(absolute);
            }
        } catch (NoSuchFileException e) {
            // There is nothing to delete.
            return;
        }
    }

    /** Deletes what is in an open directory, but for the entry of one name. */
    static void deleteContents(SecureDirectoryStream<Path> directory, Path keptName) throws IOException {
        for (Path name : names(directory)) {
            if (!name.equals(keptName)) {
                deleteEntry(directory, name);
            }
        }
    }

    /** Lists the names in an open directory; a stream can be read once. */
    static List<Path> names(DirectoryStream<Path> directory) throws IOException {
        List<Path> names = new ArrayList<>();
        try {
            directory.forEach(entry -> names.add(entry.getFileName()));
        } catch (java.nio.file.DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    private static void deleteEntry(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        try {
            if (isDirectory(parent, name)) {
                try (SecureDirectoryStream<Path> directory =
                        parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    for (Path entry : names(directory)) {
                        deleteEntry(directory, entry);
                    }
                }
                parent.deleteDirectory(name);
            } else {
                parent.deleteFile(name);
            }
        } catch (NoSuchFileException e) {
            // Whoever made it has deleted it.
            return;
        }
    }

    private static boolean isDirectory(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    /** For file systems that open nothing relative to a directory: follows no link that is there when it looks. */
    private static void deleteByPath(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
