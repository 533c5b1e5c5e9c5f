package org.naklab.lab.instruments.linux;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.agrona.BufferUtil;

/** Asks which pages of a file are in the page cache, without touching them: {@code mincore(2)}. */
public final class CachedPages {
    private static final int PAGE_BYTES = 4_096;
    private static final long WINDOW_BYTES = 256L << 20;

    private CachedPages() {}

    /**
     * Returns how much of a file is in the page cache, bytes in whole pages.
     *
     * @throws IOException if the file cannot be mapped, or the kernel does not say
     */
    public static long bytesOf(Path file) throws IOException {
        long pages = 0;
        try (FileChannel channel = ForeignFile.open(file)) {
            long size = channel.size();
            for (long offset = 0; offset < size; offset += WINDOW_BYTES) {
                pages += pagesOf(channel, offset, Math.min(WINDOW_BYTES, size - offset));
            }
        }
        return pages * PAGE_BYTES;
    }

    /**
     * Returns how much of the rest of a file is in the page cache, bytes in whole pages; the page of the position itself is not counted.
     *
     * @throws IOException if the file cannot be mapped, or the kernel does not say
     */
    public static long bytesFrom(Path file, long position) throws IOException {
        long first = position / PAGE_BYTES + 1;
        long pages = 0;
        try (FileChannel channel = ForeignFile.open(file)) {
            long size = channel.size();
            for (long offset = first * PAGE_BYTES; offset < size; offset += WINDOW_BYTES) {
                pages += pagesOf(channel, offset, Math.min(WINDOW_BYTES, size - offset));
            }
        }
        return pages * PAGE_BYTES;
    }

    /**
     * Returns the pages of a file that are in the page cache, by their number; empty if the kernel does not tell this user: it answers for
     * files that the user owns or may write to, and calls all pages of others resident (Linux 5.2).
     *
     * @throws IOException if the file cannot be mapped, or has more than 4 GiB
     */
    public static Optional<BitSet> of(Path file) throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!user.equals(0) && !user.equals(Files.getAttribute(file, "unix:uid")) && !Files.isWritable(file)) {
            return Optional.empty();
        }
        BitSet resident = new BitSet();
        try (FileChannel channel = ForeignFile.openMapped(file)) {
            long size = channel.size();
            for (long offset = 0; offset < size; offset += WINDOW_BYTES) {
                byte[] states = states(channel, offset, Math.min(WINDOW_BYTES, size - offset));
                for (int i = 0; i < states.length; i++) {
                    resident.set((int) (offset / PAGE_BYTES) + i, (states[i] & 1) != 0);
                }
            }
        }
        return Optional.of(resident);
    }

    private static long pagesOf(FileChannel channel, long offset, long length) throws IOException {
        long pages = 0;
        for (byte state : states(channel, offset, length)) {
            pages += state & 1;
        }
        return pages;
    }

    private static byte[] states(FileChannel channel, long offset, long length) throws IOException {
        MappedByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, offset, length);
        try {
            byte[] states = new byte[Math.toIntExact((length + PAGE_BYTES - 1) / PAGE_BYTES)];
            if (Libc.mincore(BufferUtil.address(mapping), length, states) != 0) {
                throw new IOException("mincore: error " + Native.getLastError());
            }
            return states;
        } finally {
            BufferUtil.free(mapping);
        }
    }
}
