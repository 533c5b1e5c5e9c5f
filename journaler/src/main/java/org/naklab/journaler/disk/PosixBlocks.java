package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Calls {@code posix_fallocate(3)}. */
final class PosixBlocks {
    /** A signal can interrupt the call; one that always does is not to keep the journal for good. */
    private static final int MAX_TRIES = 100;

    private PosixBlocks() {}

    /**
     * Allocates the range of a file that exists.
     *
     * @return null when it is done, or why this machine or this file system cannot do it
     * @throws IOException when it can, and the blocks cannot be had
     */
    static @Nullable String allocate(Path file, long offset, long lengthBytes) throws IOException {
        if (Libc.whyMissing() != null) {
            return Libc.whyMissing();
        }
        int fd = Libc.open(file);
        try {
            return allocate(fd, offset, lengthBytes);
        } finally {
            Libc.close(fd);
        }
    }

    /** Allocates the range of a file that is open. */
    static @Nullable String allocate(int fd, long offset, long lengthBytes) throws IOException {
        int error = Libc.EINTR;
        for (int i = 0; i < MAX_TRIES && error == Libc.EINTR; i++) {
            error = Libc.posix_fallocate(fd, offset, lengthBytes);
        }
        if (error == Libc.EOPNOTSUPP || error == Libc.ENOSYS || error == Libc.EINVAL) {
            return Libc.strerror(error);
        }
        if (error != 0) {
            throw new IOException(Libc.strerror(error));
        }
        return null;
    }
}
