package org.naklab.faults.host;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.naklab.faults.FaultException;

/**
 * A file that is read block by block past the page cache. It loses its name at once: nothing of it stays. One thread only.
 *
 * <p>Calls {@code open(2)} itself: Java's own option for this is an internal class, of which JDK 25's compiler warns.
 */
final class DirectFile implements AutoCloseable {
    /** What every disk's sector divides. */
    private static final int BLOCK_BYTES = 4_096;

    private static final int BLOCKS = 256;

    private static final int O_RDONLY = 0;
    private static final int O_CLOEXEC = 0x80000;
    /** One of the few flags whose number is not the same on x86-64 and aarch64. */
    private static final int O_DIRECT = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;

    private final Pointer block = new Memory(2 * BLOCK_BYTES).align(BLOCK_BYTES);
    private int fd;
    private int next;

    private DirectFile(int fd) {
        this.fd = fd;
    }

    /** @throws FaultException the file cannot be written, or the file system has no direct I/O */
    static DirectFile create(Path directory) {
        try {
            Path path = Files.createTempFile(directory, "naklab-reads-", ".tmp");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                DirectFile direct = open(path);
                try {
                    fill(file);
                    // Links the native methods now: their look-up reads symbol tables that may be wanted out of memory
                    // later.
                    direct.readBlock();
                    return direct;
                } catch (IOException e) {
                    direct.close();
                    throw e;
                }
            }
        } catch (IOException e) {
            throw new FaultException("cannot read past the page cache in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Takes the file's name away before it has content: nothing of it stays when the process is killed. */
    private static DirectFile open(Path path) throws IOException {
        try {
            return new DirectFile(Libc.open(path.toString(), O_RDONLY | O_CLOEXEC | O_DIRECT));
        } catch (LastErrorException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Files.delete(path);
        }
    }

    private static void fill(FileChannel file) throws IOException {
        file.write(ByteBuffer.allocate(BLOCKS * BLOCK_BYTES));
        file.force(true);
    }

    /** @throws IOException the block cannot be read whole */
    void readBlock() throws IOException {
        try {
            long bytes = Libc.pread(fd, block, BLOCK_BYTES, (long) next * BLOCK_BYTES);
            if (bytes != BLOCK_BYTES) {
                throw new IOException("read " + bytes + " of " + BLOCK_BYTES + " bytes");
            }
        } catch (LastErrorException e) {
            throw new IOException(e.getMessage(), e);
        }
        next = (next + 1) % BLOCKS;
    }

    /** Frees the disk space too. Does nothing a second time. */
    @Override
    public void close() throws IOException {
        if (fd < 0) {
            return;
        }
        int closed = fd;
        fd = -1;
        try {
            Libc.close(closed);
        } catch (LastErrorException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
