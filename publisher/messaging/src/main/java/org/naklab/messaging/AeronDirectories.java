package org.naklab.messaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.files.FileTrees;
import org.naklab.files.PrivateDirectory;
import org.naklab.files.SharedMemory;

/**
 * The directories of Aeron drivers. A driver deletes a directory that it finds at its start, and follows symbolic links while it does;
 * so each is below a directory that other users cannot write to, is new, and is deleted here and not by the driver.
 */
final class AeronDirectories {
    private static @Nullable PrivateDirectory ofProcess;
    private static int count;

    private AeronDirectories() {}

    /** Names a new one, in shared memory where there is some, so that logs are never written to a disk. */
    static synchronized String next(String contextName) {
        try {
            if (ofProcess == null) {
                ofProcess = SharedMemory.create().deleteOnExit();
            }
        } catch (IOException e) {
            throw new MessagingException("cannot make a directory for Aeron: " + e.getMessage(), e);
        }
        count++;
        return ofProcess.path().resolve(count + "-" + contextName).toString();
    }

    /**
     * Makes sure that a driver's directory does not exist, and that no other user can make it before the driver does.
     *
     * @throws MessagingException when it does, or one can
     */
    static void requireSafe(String directory) {
        Path path = Path.of(directory).toAbsolutePath();
        Path parent = path.getParent();
        if (parent == null) {
            throw new MessagingException("the Aeron directory cannot be " + path);
        }
        try {
            PrivateDirectory.require(parent);
        } catch (IOException e) {
            throw new MessagingException("no place for the Aeron directory " + path + ": " + e.getMessage(), e);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new MessagingException("the Aeron directory " + path
                    + " exists: another process uses it, or left it; delete it or name another one");
        }
    }

    /** Deletes a closed driver's directory. */
    static void delete(String directory) {
        try {
            FileTrees.delete(Path.of(directory));
        } catch (IOException e) {
            throw new MessagingException("cannot delete the Aeron directory " + directory + ": " + e, e);
        }
    }
}
