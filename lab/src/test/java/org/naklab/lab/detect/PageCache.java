package org.naklab.lab.detect;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file whose pages are on disk and not in memory, so that touching them makes real major faults. */
final class PageCache {
    private static final int POSIX_FADV_DONTNEED = 4;
    private static final int LENGTH = 4 * 1024 * 1024;

    static {
        Native.register(PageCache.class, "c");
    }

    private PageCache() {}

    static native int posix_fadvise(int fd, long offset, long length, int advice);

    /** Writes the file and has the kernel drop its pages. */
    static MappedByteBuffer mapEvicted(Path file) throws IOException {
        Files.write(file, new byte[LENGTH]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.force(true);
            int fd = Libc.open(file.toString(), Libc.O_RDONLY);
            int result = posix_fadvise(fd, 0, LENGTH, POSIX_FADV_DONTNEED);
            Libc.close(fd);
            if (result != 0) {
                throw new IOException("posix_fadvise: " + Libc.strerror(result));
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH);
        }
    }

    /** Reads one byte of every 256 KiB; the sum keeps the reads from being optimised away. */
    static int touch(MappedByteBuffer buffer) {
        int sum = 0;
        for (int offset = 0; offset < buffer.capacity(); offset += 256 * 1024) {
            sum += buffer.get(offset);
        }
        return sum;
    }
}
