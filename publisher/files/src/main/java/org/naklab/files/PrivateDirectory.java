package org.naklab.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A directory of a random name that only its owner can enter, in a place that other users can write to. Its file {@code lock} is held
 * by every process that uses it; when the last of them is dead, {@link #create} of the same user deletes it.
 */
public final class PrivateDirectory implements AutoCloseable {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    /** A new directory is lost only to a clearing by the same user in the instant before it is locked. */
    private static final int MAX_TRIES = 10;

    private static final int STICKY_BIT = 01000;

    private final Path path;

    private PrivateDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates one, and deletes those of this user and prefix whose processes are dead.
     *
     * @param parent must be private, or have the sticky bit as {@code /tmp} has it
     * @throws IOException when it cannot be made
     */
    public static synchronized PrivateDirectory create(Path parent, String prefix) throws IOException {
        Path root = parent.toRealPath();
        requireOnlyOwnersRename(root);
        for (int i = 0; i < MAX_TRIES; i++) {
            Path directory = Files.createTempDirectory(root, prefix, MODE);
            if (DirectoryLock.createIn(directory)) {
                Orphans.clear(root, prefix, Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
                return new PrivateDirectory(directory);
            }
        }
        throw new IOException("cannot keep a directory in " + root + ": each of " + MAX_TRIES + " was deleted at once");
    }

    /**
     * Makes sure that nobody but this user, or root, can put anything into a directory, and creates it if it is missing.
     *
     * @throws IOException when another user could
     */
    public static void require(Path directory) throws IOException {
        if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory, MODE);
            return;
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is no directory, or a symbolic link; name another one");
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (permissions.stream().anyMatch(OTHERS_WRITE::contains) || !isOwn(directory)) {
            throw new IOException("other users can write to " + directory
                    + "; name a directory below one that only you can write to (chmod 700)");
        }
    }

    /**
     * Holds the lock of a private directory that another process made, until {@link #leave} or this process's end. Does nothing for a
     * directory that has no lock.
     *
     * @throws IOException when the directory is being deleted
     */
    public static synchronized void join(Path directory) throws IOException {
        DirectoryLock.join(directory);
    }

    /**
     * Gives up what was joined. A directory that no other process holds, because the one that made it is dead, is deleted.
     *
     * @throws IOException when something of it remains
     */
    public static synchronized void leave() throws IOException {
        DirectoryLock.leave(Orphans::delete);
    }

    public Path path() {
        return path;
    }

    /** Deletes the directory when the JVM ends, however it is told to. */
    public PrivateDirectory deleteOnExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::deleteAtExit, "delete-" + path.getFileName()));
        return this;
    }

    /**
     * Deletes the directory with all that is in it, and follows no link.
     *
     * @throws IOException when something of it remains; the next {@link #create} tries again
     */
    @Override
    public void close() throws IOException {
        synchronized (PrivateDirectory.class) {
            try {
                Orphans.delete(path);
            } finally {
                DirectoryLock.release(path);
            }
        }
    }

    private void deleteAtExit() {
        try {
            close();
        } catch (IOException e) {
            System.getLogger(PrivateDirectory.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + path + ": " + e);
        }
    }

    /** A file that is made in it belongs to whoever this process is. */
    private static boolean isOwn(Path directory) throws IOException {
        int owner = (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (owner == 0) {
            return true;
        }
        Path probe = Files.createTempFile(directory, ".owner", "");
        try {
            return owner == (Integer) Files.getAttribute(probe, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.delete(probe);
        }
    }

    private static void requireOnlyOwnersRename(Path root) throws IOException {
        boolean othersWrite = Files.getPosixFilePermissions(root).contains(PosixFilePermission.OTHERS_WRITE);
        if (othersWrite && ((Integer) Files.getAttribute(root, "unix:mode") & STICKY_BIT) == 0) {
            throw new IOException(
                    "every user can rename what is in " + root + "; give it the sticky bit (chmod +t " + root + ")");
        }
    }
}
