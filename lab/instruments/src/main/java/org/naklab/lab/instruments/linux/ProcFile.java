package org.naklab.lab.instruments.linux;

import com.sun.jna.Native;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.timeline.DetectException;

/**
 * A file of {@code /proc}, {@code /sys/fs/cgroup} or the like, opened once and read again and again from its start without
 * allocation. One thread.
 */
public final class ProcFile implements AutoCloseable {
    /** {@link #read} of something whose process or thread is gone. */
    public static final int GONE = -1;

    private final Path path;
    private final NativeMemory memory;
    private int fd;

    private ProcFile(Path path, int fd, int capacity) {
        this.path = path;
        this.fd = fd;
        memory = new NativeMemory(capacity);
    }

    /**
     * Opens a file of {@code /proc}.
     *
     * @param capacity bytes of the file that are read; the rest is cut off
     * @throws DetectException it cannot be opened
     */
    public static ProcFile open(Path path, int capacity) {
        int fd = Libc.open(path.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC);
        if (fd < 0) {
            throw new DetectException("cannot open " + path + ": " + Libc.lastError());
        }
        return new ProcFile(path, fd, capacity);
    }

    /**
     * Reads from the start.
     *
     * @return bytes in {@link #view}, or {@link #GONE}
     * @throws DetectException anything else went wrong
     */
    public int read() {
        return readAt(0);
    }

    /** Reads on from an offset that the reads before have reached; 0 at the end. */
    public int readAt(long offset) {
        long count = Libc.pread(fd, memory.address(), memory.length(), offset);
        if (count >= 0) {
            return (int) count;
        }
        int errno = Native.getLastError();
        if (errno == Libc.ESRCH || errno == Libc.ENOENT) {
            return GONE;
        }
        throw new DetectException("cannot read " + path + ": " + Libc.strerror(errno));
    }

    public UnsafeBuffer view() {
        return memory.view();
    }

    @Override
    public void close() {
        if (fd >= 0) {
            Libc.close(fd);
            fd = -1;
        }
    }
}
