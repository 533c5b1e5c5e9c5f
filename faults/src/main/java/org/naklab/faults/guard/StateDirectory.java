package org.naklab.faults.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.naklab.faults.FaultException;

/**
 * The directory of the ledgers. Their commands are executed, so that the directory and each file must belong to this user, be
 * no symbolic link, and be writable by no one else.
 */
final class StateDirectory {
    /** Names another directory than that of the user's state. */
    static final String PROPERTY = "naklab.state.directory";

    /** Begins the name of the directory that replaces the user's own; the guard removes it with the ledger. */
    static final String TEMPORARY_PREFIX = "naklab-promises-";

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int WRITABLE_BY_OTHERS = 0022;

    private StateDirectory() {}

    /** Returns the path, whether or not it exists. */
    static Path path() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return Path.of(named).toAbsolutePath().resolve("promises");
        }
        String state = System.getenv("XDG_STATE_HOME");
        Path parent = state == null || !state.startsWith("/")
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        return parent.toAbsolutePath().resolve("naklab").resolve("promises");
    }

    /**
     * Creates an empty file of this user's own; in a temporary directory, where a later process does not find it, when the user
     * has no home that can be written.
     */
    static Path newFile(String prefix) {
        try {
            return create(privateDirectory(), prefix);
        } catch (IOException e) {
            try {
                return create(Files.createTempDirectory(TEMPORARY_PREFIX), prefix);
            } catch (IOException second) {
                second.addSuppressed(e);
                throw new FaultException(
                        "cannot write down how to undo a fault: neither " + path() + " nor "
                                + System.getProperty("java.io.tmpdir") + " can be written",
                        second);
            }
        }
    }

    private static Path create(Path directory, String prefix) throws IOException {
        return Files.createTempFile(directory, prefix, ".ledger", PRIVATE_FILE);
    }

    private static Path privateDirectory() throws IOException {
        Path directory = path();
        Files.createDirectories(directory, PRIVATE_DIRECTORY);
        if (!isPrivate(directory) || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is a link, or others may write it");
        }
        return directory;
    }

    /** Returns the directory if it exists and can be trusted. */
    static Optional<Path> existing() {
        Path directory = path();
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && isPrivate(directory)
                ? Optional.of(directory)
                : Optional.empty();
    }

    /** Tells whether the file itself, not what it links to, is this user's and no one else's to write. */
    static boolean isPrivate(Path path) {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return (mode & WRITABLE_BY_OTHERS) == 0 && owner.equals(self) && !Files.isSymbolicLink(path);
        } catch (IOException e) {
            // What cannot be looked at cannot be trusted.
            return false;
        }
    }
}
