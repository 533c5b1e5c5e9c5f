package org.naklab.lab.tools.tune.workload;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;

/** Writes blocks to the end of a file, in one of several ways to treat the page cache. One thread. */
final class FileOutput implements AutoCloseable {
    /** Tells what becomes of the pages in the page cache. */
    public enum Way {
        /** The kernel keeps them until it needs the memory. */
        BUFFERED,
        /** {@code O_DIRECT}: there are none. */
        DIRECT,
        /** {@code sync_file_range} begins to write each block, and {@code posix_fadvise} drops it when it is written. */
        BEHIND,
        /** {@code RWF_DONTCACHE}: the kernel drops each page when it is written (Linux 6.14). */
        UNCACHED;

        /** Returns the word of the property. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Way of(String label) {
            return Arrays.stream(values())
                    .filter(way -> way.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no way of writing '" + label + "'"));
        }
    }

    private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");
    private static final long SYS_SYNC_FILE_RANGE = IS_ARM ? 84 : 277;
    private static final long SYS_FADVISE = IS_ARM ? 223 : 221;
    private static final long SYS_PWRITEV2 = IS_ARM ? 287 : 328;
    private static final int O_DIRECT = IS_ARM ? 0x10000 : 0x4000;
    private static final int RWF_DONTCACHE = 0x80;
    private static final int SYNC_FILE_RANGE_WRITE = 2;
    private static final int SYNC_FILE_RANGE_WRITTEN = 1 | 2 | 4;
    private static final int POSIX_FADV_DONTNEED = 4;
    private static final int ALIGNMENT = 4_096;
    private static final int IOVEC_BYTES = 16;
    /** Blocks that are being written to disk before their pages are dropped. */
    private static final int LAG_BLOCKS = 16;

    private final Path file;
    private final Way way;
    private final int blockBytes;
    private final NativeMemory memory;
    private final NativeMemory vector = new NativeMemory(IOVEC_BYTES);
    private final long block;
    private final int fd;
    private long position;

    /**
     * Creates the file.
     *
     * @param blockBytes a multiple of 4 KiB
     * @throws IOException it cannot be created, or the file system cannot write in this way
     */
    FileOutput(Path file, Way way, int blockBytes) throws IOException {
        this.file = file;
        this.way = way;
        this.blockBytes = blockBytes;
        memory = new NativeMemory(blockBytes + ALIGNMENT);
        memory.view().setMemory(0, memory.length(), (byte) 1);
        block = (memory.address() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        vector.view().putLong(0, block);
        vector.view().putLong(Long.BYTES, blockBytes);
        Files.createFile(file);
        int flags = Libc.O_RDWR | Libc.O_CLOEXEC | (way == Way.DIRECT ? O_DIRECT : 0);
        fd = Libc.open(file.toString(), flags);
        if (fd < 0) {
            throw new IOException("cannot open " + file + " to write " + way.label() + ": " + Libc.lastError());
        }
    }

    /**
     * Writes a block.
     *
     * @throws IOException it cannot be written whole
     */
    void write() throws IOException {
        long written = way == Way.UNCACHED
                ? Libc.syscall(SYS_PWRITEV2, fd, vector.address(), 1, position, 0, RWF_DONTCACHE)
                : Libc.write(fd, block, blockBytes);
        if (written != blockBytes) {
            throw new IOException("cannot write " + way.label() + " to " + file + ": "
                    + (written < 0 ? Libc.lastError() : written + " of " + blockBytes + " bytes"));
        }
        position += blockBytes;
        if (way == Way.BEHIND) {
            dropBehind();
        }
    }

    private void dropBehind() throws IOException {
        call(Libc.syscall(SYS_SYNC_FILE_RANGE, fd, position - blockBytes, blockBytes, SYNC_FILE_RANGE_WRITE, 0));
        long old = position - (long) LAG_BLOCKS * blockBytes;
        if (old > 0) {
            call(Libc.syscall(SYS_SYNC_FILE_RANGE, fd, old - blockBytes, blockBytes, SYNC_FILE_RANGE_WRITTEN, 0));
            call(Libc.syscall(SYS_FADVISE, fd, 0, old, POSIX_FADV_DONTNEED, 0));
        }
    }

    /** Waits until everything is on the disk. */
    void force() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Returns the flags of the open file as the kernel shows them, octal. */
    String flags() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/fdinfo/" + fd)).stream()
                .filter(line -> line.startsWith("flags:"))
                .map(line -> line.substring("flags:".length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/fdinfo/" + fd + " has no flags"));
    }

    /** Returns whether flags, octal, have {@code O_DIRECT}. */
    static boolean isDirect(String flags) {
        return (Long.parseLong(flags, 8) & O_DIRECT) != 0;
    }

    private void call(long result) throws IOException {
        if (result != 0) {
            throw new IOException("cannot drop the pages of " + file + ": " + Libc.lastError());
        }
    }

    @Override
    public void close() throws IOException {
        if (Libc.close(fd) != 0) {
            throw new IOException("cannot close " + file + ": " + Libc.lastError());
        }
    }
}
