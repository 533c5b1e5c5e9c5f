package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Puts the pages behind the writer of a mapped file to disk, and drops them from the page cache, so that a long file does not evict the pages of
 * others. The disk gets time for that: pages are dropped {@link #LAG_BYTES} after their writing was begun. Not thread-safe.
 *
 * <p>{@code posix_fadvise} drops no page that is dirty or mapped. So the pages are first detached from the mapping, then written, then dropped. A page
 * that a thread has touched again meanwhile stays, as do the pages of the index that the writer still fills.
 *
 * <p>See {@code sync_file_range(2)}, {@code posix_fadvise(2)}, and {@code MADV_DONTNEED} of a shared mapping in {@code madvise(2)}.
 */
public final class PagesBehind implements AutoCloseable {
    /** The number of bytes that are written to disk at a time. */
    public static final long STEP_BYTES = 1 << 20;
    /** Pages that are being written to disk while the writer goes on. */
    public static final long LAG_BYTES = 4 << 20;

    private static final int NONE = -1;
    private static final int PAGE_BYTES = 4_096;

    private int fd = NONE;
    private long begunBytes;
    private long droppedBytes;

    /**
     * Begins with a file; the rest of the one before is left to the kernel.
     *
     * @throws IOException if the file cannot be opened, or the system does not have the calls
     */
    public void begin(Path file) throws IOException {
        close();
        if (Libc.whyMissing() != null) {
            throw new IOException("a polite journal needs Linux: " + Libc.whyMissing());
        }
        fd = Libc.open(file);
        begunBytes = 0;
        droppedBytes = 0;
    }

    /** Returns whether enough was written since the last step; the position is that of the writer. */
    public boolean isDue(long position) {
        return position - begunBytes >= STEP_BYTES;
    }

    /**
     * Begins to write everything before the position to disk, and drops what was written long enough ago. Waits for the disk if it is slower
     * than the writer.
     *
     * @param mapped through which the pages were written
     * @param position of the writer, in the file
     * @throws IOException if the disk does not take the pages
     */
    public void advance(QueueAppender mapped, long position) throws IOException {
        long end = position / PAGE_BYTES * PAGE_BYTES;
        mapped.detachPagesBefore(end);
        sync(begunBytes, end, Libc.SYNC_FILE_RANGE_WRITE);
        begunBytes = end;
        long dropEnd = begunBytes - LAG_BYTES;
        if (dropEnd > droppedBytes) {
            sync(
                    droppedBytes,
                    dropEnd,
                    Libc.SYNC_FILE_RANGE_WAIT_BEFORE | Libc.SYNC_FILE_RANGE_WRITE | Libc.SYNC_FILE_RANGE_WAIT_AFTER);
            // From the beginning: the kernel drops no large page that reaches beyond the range.
            int error = Libc.posix_fadvise(fd, 0, dropEnd, Libc.POSIX_FADV_DONTNEED);
            if (error != 0) {
                throw new IOException(Libc.strerror(error));
            }
            droppedBytes = dropEnd;
        }
    }

    private void sync(long begin, long end, int flags) throws IOException {
        if (Libc.sync_file_range(fd, begin, end - begin, flags) != 0) {
            throw Libc.lastError();
        }
    }

    /** Lets go of the file. Does nothing a second time. */
    @Override
    public void close() {
        if (fd != NONE) {
            Libc.close(fd);
            fd = NONE;
        }
    }
}
