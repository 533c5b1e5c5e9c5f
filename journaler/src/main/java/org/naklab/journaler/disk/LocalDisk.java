package org.naklab.journaler.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file system of this machine. Where there is no {@code posix_fallocate}, allocation writes what is there anew, zeros where
 * nothing is, and says so once: that reserves blocks on every file system that overwrites in place.
 */
public final class LocalDisk implements Disk {
    public static final Disk INSTANCE = new LocalDisk();

    private static final Logger LOGGER = LoggerFactory.getLogger(LocalDisk.class);
    private static final int PIECE_BYTES = 64 << 10;
    /** An interrupt closes the channel; each try takes one interrupt away. */
    private static final int MAX_TRIES = 100;

    private final Blocks blocks;
    private final AtomicBoolean isFallbackTold = new AtomicBoolean();

    private LocalDisk() {
        this(PosixBlocks::allocate);
    }

    LocalDisk(Blocks blocks) {
        this.blocks = blocks;
    }

    /** The system's own way of allocating, as {@link PosixBlocks#allocate} is. */
    interface Blocks {
        @Nullable
        String allocate(Path file, long offset, long lengthBytes) throws IOException;
    }

    @Override
    public void allocate(Path file, long offset, long lengthBytes) throws IOException {
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        String whyNot = blocks.allocate(file, offset, lengthBytes);
        if (whyNot != null) {
            if (isFallbackTold.compareAndSet(false, true)) {
                LOGGER.warn("no posix_fallocate for {} ({}): blocks are allocated by writing zeros", file, whyNot);
            }
            rewrite(file, offset, lengthBytes);
        }
    }

    @Override
    public FileBlocks blocksOf(Path file) throws IOException {
        if (Libc.whyMissing() != null) {
            return Disk.super.blocksOf(file);
        }
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        return new OpenBlocks(Libc.open(file));
    }

    /** Allocates by the descriptor of the file; a file system that cannot do it is told by the way that opens the file. */
    private final class OpenBlocks implements FileBlocks {
        private int descriptor;

        OpenBlocks(int descriptor) {
            this.descriptor = descriptor;
        }

        @Override
        public void allocate(Path current, long offset, long lengthBytes) throws IOException {
            if (PosixBlocks.allocate(descriptor, offset, lengthBytes) != null) {
                LocalDisk.this.allocate(current, offset, lengthBytes);
            }
        }

        @Override
        public void close() {
            if (descriptor >= 0) {
                Libc.close(descriptor);
                descriptor = -1;
            }
        }
    }

    private static void rewrite(Path file, long offset, long lengthBytes) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            for (long done = 0; done < lengthBytes; done += piece.length) {
                int length = (int) Math.min(piece.length, lengthBytes - done);
                Arrays.fill(piece, (byte) 0);
                access.seek(offset + done);
                readUpTo(access, piece, length);
                access.seek(offset + done);
                access.write(piece, 0, length);
            }
        }
    }

    private static void readUpTo(RandomAccessFile access, byte[] piece, int length) throws IOException {
        int read = 0;
        while (read < length) {
            int count = access.read(piece, read, length - read);
            if (count < 0) {
                return;
            }
            read += count;
        }
    }

    @Override
    public void force(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            forceDirectory(path);
            return;
        }
        // Not by a channel: an interrupt would close it, and a thread that closes its journal may well be interrupted.
        try (RandomAccessFile access = new RandomAccessFile(path.toFile(), "rw")) {
            access.getFD().sync();
        }
    }

    /** A directory opens as a channel only. */
    private static void forceDirectory(Path directory) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            for (int i = 1; ; i++) {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                    if (i == MAX_TRIES) {
                        throw e;
                    }
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
