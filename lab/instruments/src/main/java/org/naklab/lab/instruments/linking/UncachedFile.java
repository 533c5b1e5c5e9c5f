package org.naklab.lab.instruments.linking;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.Libc;

/**
 * Reads a file past the page cache: whoever looks at a library must not bring the pages into memory that a late bind would miss. On a file
 * system without direct I/O, such as tmpfs, it reads through the page cache. One thread only.
 */
final class UncachedFile implements AutoCloseable {
    /** A multiple of every disk's sector. */
    private static final int BLOCK_BYTES = 16_384;

    /** 64 MiB of a file are kept. */
    private static final int MOST_BLOCKS = 4_096;

    private static final long MOST_BYTES = 256L << 20;
    private static final int ALIGNMENT = 4_096;
    /** One of the few flags whose number is not the same on x86-64 and aarch64. */
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

    private final Path path;
    private final int fd;
    private final long size;
    private final boolean isUncached;
    private final Map<Long, byte[]> blocks = new HashMap<>();
    private final Memory memory = new Memory(BLOCK_BYTES + ALIGNMENT);
    private final Pointer block = memory.align(ALIGNMENT);

    private UncachedFile(Path path, int fd, long size, boolean isUncached) {
        this.path = path;
        this.fd = fd;
        this.size = size;
        this.isUncached = isUncached;
    }

    /** Opens a file. @throws IOException it is not there, may not be read, or is no regular file of at most 4 GiB */
    static UncachedFile open(Path path) throws IOException {
        try {
            return of(path, ForeignFile.openMapped(path, O_DIRECT), true);
        } catch (IOException onlyThroughTheCache) {
            return of(path, ForeignFile.openMapped(path, 0), false);
        }
    }

    private static UncachedFile of(Path path, int fd, boolean isUncached) throws IOException {
        try {
            return new UncachedFile(path, fd, Files.size(Path.of("/proc/self/fd", Integer.toString(fd))), isUncached);
        } catch (IOException e) {
            Libc.close(fd);
            throw e;
        }
    }

    /** Returns the length of the file when it was opened, bytes. */
    long size() {
        return size;
    }

    /** Returns whether reading leaves the page cache as it is. */
    boolean isUncached() {
        return isUncached;
    }

    /** Reads some bytes. @throws IOException the file does not have them, or they are more than any table of a library has */
    byte[] bytes(long offset, long length) throws IOException {
        if (offset < 0 || length < 0 || length > MOST_BYTES || offset > size - length) {
            throw new IOException(path + " is damaged: it refers to " + length + " bytes at offset " + offset);
        }
        byte[] bytes = new byte[(int) length];
        int done = 0;
        while (done < bytes.length) {
            long at = offset + done;
            byte[] from = block(at / BLOCK_BYTES);
            int begin = (int) (at % BLOCK_BYTES);
            int count = Math.min(bytes.length - done, from.length - begin);
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
        if (blocks.size() >= MOST_BLOCKS) {
            blocks.clear();
        }
        blocks.put(index, read);
        return read;
    }

    @Override
    public void close() {
        Libc.close(fd);
        memory.close();
    }
}
