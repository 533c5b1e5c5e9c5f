package org.naklab.testing.host;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files whose pages are on disk and not in memory, so that touching them makes real major faults. */
public final class PageCache {
    private static final int O_RDONLY = 0;
    private static final int POSIX_FADV_DONTNEED = 4;
    private static final int LENGTH = 4 * 1024 * 1024;
    private static final int PAGE_BYTES = 4_096;

    static {
        Native.register(PageCache.class, "c");
    }

    private PageCache() {}

    private static native int open(String path, int flags);

    private static native int close(int fd);

    private static native int posix_fadvise(int fd, long offset, long length, int advice);

    private static native int fdatasync(int fd);

    /**
     * Puts the file to disk and has the kernel drop its pages. It keeps those that a process has mapped.
     *
     * @throws IOException if it cannot be opened, or the kernel refuses
     */
    public static void evict(Path file) throws IOException {
        int fd = open(file.toString(), O_RDONLY);
        if (fd < 0) {
            throw new IOException("cannot open " + file);
        }
        int unwritten = fdatasync(fd);
        int result = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
        if (unwritten != 0 || result != 0) {
            throw new IOException(
                    "cannot evict " + file + ": " + "error " + (unwritten != 0 ? Native.getLastError() : result));
        }
    }

    /** Returns how many of the file's pages are in memory, by the kernel's account, of one in every 64. Touches none. */
    public static int sampleInMemory(Path file) throws IOException {
        int inMemory = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long offset = 0; offset + PAGE_BYTES <= channel.size(); offset += 64L * PAGE_BYTES) {
                if (channel.map(FileChannel.MapMode.READ_ONLY, offset, PAGE_BYTES)
                        .isLoaded()) {
                    inMemory++;
                }
            }
        }
        return inMemory;
    }

    /** Writes the file and has the kernel drop its pages. */
    public static MappedByteBuffer mapEvicted(Path file) throws IOException {
        Files.write(file, new byte[LENGTH]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.force(true);
            evict(file);
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH);
        }
    }

    /** Reads one byte of every 256 KiB; the sum keeps the reads from being optimised away. */
    public static int touch(MappedByteBuffer buffer) {
        int sum = 0;
        for (int offset = 0; offset < buffer.capacity(); offset += 256 * 1024) {
            sum += buffer.get(offset);
        }
        return sum;
    }
}
