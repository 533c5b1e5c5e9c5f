package org.naklab.lab.instruments.linking;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.instruments.linux.Libc;

/**
 * Reads a file past the page cache: whoever looks at a library must not bring the pages into memory that a late bind would miss. On a file
 * system without direct I/O, such as tmpfs, it reads through the page cache. One thread only.
 */
final class UncachedFile implements AutoCloseable {
    /** A multiple of every disk's sector. */
    private static final int BLOCK_BYTES = 16_384;

    private static final int ALIGNMENT = 4_096;
    /** One of the few flags whose number is not the same on x86-64 and aarch64. */
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

    private final Path path;
    private final int fd;
    private final boolean isUncached;
    private final Map<Long, byte[]> blocks = new HashMap<>();
    private final Memory memory = new Memory(BLOCK_BYTES + ALIGNMENT);
    private final Pointer block = memory.align(ALIGNMENT);

    private UncachedFile(Path path, int fd, boolean isUncached) {
        this.path = path;
        this.fd = fd;
        this.isUncached = isUncached;
    }

    /** Opens a file. @throws IOException it is not there, or may not be read */
    static UncachedFile open(Path path) throws IOException {
        int direct = Libc.open(path.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC | O_DIRECT);
        if (direct >= 0) {
            return new UncachedFile(path, direct, true);
        }
        int plain = Libc.open(path.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC);
        if (plain < 0) {
            throw new IOException(path + ": " + Libc.lastError());
        }
        return new UncachedFile(path, plain, false);
    }

    /** Returns whether reading leaves the page cache as it is. */
    boolean isUncached() {
        return isUncached;
    }

    /** Reads some bytes. @throws IOException the file ends before */
    byte[] bytes(long offset, int length) throws IOException {
        if (offset < 0 || length < 0) {
            throw new IOException(path + " is damaged: it refers to offset " + offset);
        }
        byte[] bytes = new byte[length];
        int done = 0;
        while (done < length) {
            long at = offset + done;
            byte[] from = block(at / BLOCK_BYTES);
            int begin = (int) (at % BLOCK_BYTES);
            int count = Math.min(length - done, from.length - begin);
            if (count <= 0) {
                throw new IOException(path + " ends before offset " + at);
            }
            System.arraycopy(from, begin, bytes, done, count);
            done += count;
        }
        return bytes;
    }

    private byte[] block(long index) throws IOException {
        byte[] known = blocks.get(index);
        if (known != null) {
            return known;
        }
        long count = Libc.pread(fd, Pointer.nativeValue(block), BLOCK_BYTES, index * BLOCK_BYTES);
        if (count < 0) {
            throw new IOException(path + ": " + Libc.lastError());
        }
        byte[] read = block.getByteArray(0, (int) count);
        blocks.put(index, read);
        return read;
    }

    @Override
    public void close() {
        Libc.close(fd);
        memory.close();
    }
}
