package org.naklab.journaler.disk;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Calls {@code posix_fallocate(3)}. Direct mapping with primitives, so that a call neither allocates nor converts. 64-bit. */
final class PosixBlocks {
    private static final int O_RDWR = 2;

    private static final int EINTR = 4;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;
    /** A signal can interrupt the call; one that always does is not to keep the journal for good. */
    private static final int MAX_TRIES = 100;

    private static final @Nullable String WHY_MISSING = register();

    private PosixBlocks() {}

    private static native int open(String path, int flags);

    private static native int close(int fd);

    private static native int posix_fallocate(int fd, long offset, long length);

    private static native String strerror(int errno);

    private static @Nullable String register() {
        try {
            Native.register(PosixBlocks.class, "c");
            return null;
        } catch (LinkageError e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
    }

    /**
     * Allocates the range of a file that exists.
     *
     * @return null when it is done, or why this machine or this file system cannot do it
     * @throws IOException when it can, and the blocks cannot be had
     */
    static @Nullable String allocate(Path file, long offset, long lengthBytes) throws IOException {
        if (WHY_MISSING != null) {
            return WHY_MISSING;
        }
        int fd = open(file.toString(), O_RDWR);
        if (fd < 0) {
            throw new IOException(strerror(Native.getLastError()));
        }
        int error = EINTR;
        for (int i = 0; i < MAX_TRIES && error == EINTR; i++) {
            error = posix_fallocate(fd, offset, lengthBytes);
        }
        close(fd);
        if (error == EOPNOTSUPP || error == ENOSYS || error == EINVAL) {
            return strerror(error);
        }
        if (error != 0) {
            throw new IOException(strerror(error));
        }
        return null;
    }
}
