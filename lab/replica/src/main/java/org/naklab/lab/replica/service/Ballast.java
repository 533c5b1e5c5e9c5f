package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory that is taken and kept, and can be given back: a file in the container's memory-only file system, which is charged to it and,
 * without swap, stays. One thread.
 */
final class Ballast implements AutoCloseable {
    private static final Path MEMORY_ONLY = Path.of("/dev/shm");
    private static final byte[] PIECE = new byte[1 << 18];

    private final RandomAccessFile file;
    private long bytes;

    /** Nothing yet. */
    Ballast() throws IOException {
        Path path = Files.createTempFile(MEMORY_ONLY, "ballast", "");
        file = new RandomAccessFile(path.toFile(), "rw");
        Files.delete(path);
    }

    long bytes() {
        return bytes;
    }

    /** Takes or gives back, in whole pieces, until it has about so much. */
    void resizeTo(long wantedBytes) throws IOException {
        if (wantedBytes < bytes) {
            bytes = Math.max(0, wantedBytes);
            file.setLength(bytes);
        }
        file.seek(bytes);
        for (; wantedBytes - bytes >= PIECE.length; bytes += PIECE.length) {
            file.write(PIECE);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
