package org.naklab.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Private directories that killed processes left. One is deleted only if it is a directory and no link, belongs to this user, lets
 * nobody else in, and has a lock that no process holds.
 */
final class Orphans {
    private static final System.Logger LOGGER = System.getLogger(Orphans.class.getName());

    private Orphans() {}

    /** Deletes the orphans of a prefix; one that cannot be deleted is logged, and is no failure of whoever starts now. */
    static void clear(Path root, String prefix, UserPrincipal owner) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
                LOGGER.log(System.Logger.Level.DEBUG, "no orphans are looked for in {0}: that is not safe there", root);
                return;
            }
            for (Path name : FileTrees.names(secure)) {
                Path directory = root.resolve(name);
                if (name.toString().startsWith(prefix) && !DirectoryLock.isHeldHere(directory)) {
                    try {
                        clear(secure, name, owner);
                    } catch (IOException e) {
                        LOGGER.log(
                                System.Logger.Level.WARNING,
                                "cannot delete " + directory + ", which a killed process left; delete it yourself: "
                                        + e);
                    }
                }
            }
        }
    }

    /** Deletes a directory that this process holds; its lock is the last to go, so that the next clearing can go on. */
    static void delete(Path path) throws IOException {
        Path root = path.getParent();
        Path name = path.getFileName();
        if (root == null || name == null) {
            throw new IOException("will not delete " + path);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
                FileTrees.delete(path);
                return;
            }
            try (SecureDirectoryStream<Path> directory = secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                delete(secure, name, directory);
            }
        } catch (NoSuchFileException e) {
            // It has been deleted before.
            return;
        }
    }

    private static void clear(SecureDirectoryStream<Path> root, Path name, UserPrincipal owner) throws IOException {
        if (!isPrivate(
                root.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS), owner)) {
            return;
        }
        try (SecureDirectoryStream<Path> directory = root.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            if (!isPrivate(directory.getFileAttributeView(PosixFileAttributeView.class), owner)) {
                return;
            }
            if (hasLock(directory)) {
                deleteUnlessLocked(root, name, directory);
            } else if (FileTrees.names(directory).isEmpty()) {
                // Its process was killed before it had made the lock; one that is about to make it makes another
                // directory.
                root.deleteDirectory(name);
            }
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            // Another process has deleted it, or makes its lock just now.
            return;
        }
    }

    private static void deleteUnlessLocked(
            SecureDirectoryStream<Path> root, Path name, SecureDirectoryStream<Path> directory) throws IOException {
        Set<? extends java.nio.file.OpenOption> options =
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = (FileChannel) directory.newByteChannel(DirectoryLock.NAME, options);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                delete(root, name, directory);
            }
        }
    }

    private static void delete(SecureDirectoryStream<Path> root, Path name, SecureDirectoryStream<Path> directory)
            throws IOException {
        FileTrees.deleteContents(directory, DirectoryLock.NAME);
        directory.deleteFile(DirectoryLock.NAME);
        root.deleteDirectory(name);
    }

    private static boolean isPrivate(PosixFileAttributeView view, UserPrincipal owner) throws IOException {
        try {
            PosixFileAttributes attributes = view.readAttributes();
            return attributes.isDirectory()
                    && attributes.owner().equals(owner)
                    && attributes.permissions().equals(PrivateDirectory.OWNER_ONLY);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean hasLock(SecureDirectoryStream<Path> directory) throws IOException {
        try {
            return directory
                    .getFileAttributeView(DirectoryLock.NAME, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
