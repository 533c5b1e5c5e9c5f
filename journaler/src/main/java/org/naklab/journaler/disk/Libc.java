package org.naklab.journaler.disk;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The C library's calls that a journal needs and Java does not offer. Direct mapping with primitives, so that a call neither allocates nor converts. 64-bit Linux. */
final class Libc {
    static final int O_RDWR = 2;

    static final int EINTR = 4;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int EOPNOTSUPP = 95;

    static final int MADV_RANDOM = 1;
    static final int MADV_DONTNEED = 4;
    static final int POSIX_FADV_DONTNEED = 4;

    /** Waits for pages that are already being written. */
    static final int SYNC_FILE_RANGE_WAIT_BEFORE = 1;
    /** Begins to write dirty pages. */
    static final int SYNC_FILE_RANGE_WRITE = 2;
    /** Waits for the pages that this call writes. */
    static final int SYNC_FILE_RANGE_WAIT_AFTER = 4;

    private static final @Nullable String WHY_MISSING = register();

    private Libc() {}

    /** Returns why the calls cannot be made on this machine; {@code null} if they can. */
    static @Nullable String whyMissing() {
        return WHY_MISSING;
    }

    private static native int open(String path, int flags);

    static native int close(int fd);

    static native int dup(int fd);

    static native int posix_fallocate(int fd, long offset, long length);

    static native int posix_fadvise(int fd, long offset, long length, int advice);

    static native int sync_file_range(int fd, long offset, long length, int flags);

    static native int madvise(long address, long length, int advice);

    static native String strerror(int errno);

    /**
     * Opens a file that exists, for reading and writing.
     *
     * @throws IOException if it cannot be opened
     */
    static int open(Path file) throws IOException {
        int fd = open(file.toString(), O_RDWR);
        if (fd < 0) {
            throw lastError();
        }
        return fd;
    }

    /** Returns the error of the last call that reports it in {@code errno}. */
    static IOException lastError() {
        return new IOException(strerror(Native.getLastError()));
    }

    private static @Nullable String register() {
        try {
            Native.register(Libc.class, "c");
            return null;
        } catch (LinkageError e) {
            return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
    }
}
