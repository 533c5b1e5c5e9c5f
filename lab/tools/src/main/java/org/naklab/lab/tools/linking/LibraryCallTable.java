package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shared file that {@code libnaklab_libprof.so} writes while a program runs; {@code naklab_libprof.h} draws its layout. It is read when the
 * program has ended, however it did.
 */
final class LibraryCallTable {
    private static final long MAGIC = 0x31464f5250424c4eL;
    private static final int HEADER_BYTES = 4_096;
    private static final int MAX_FUNCTIONS = 8_192;
    private static final int FUNCTION_BYTES = 256;
    private static final int NAME_OFFSET = 8;
    private static final int NAME_BYTES = 184;
    private static final int LIBRARY_BYTES = 64;
    private static final int MAX_THREADS = 512;
    private static final int THREAD_HEADER_BYTES = 128;
    private static final int DEPTH = 500;
    private static final int OPEN_CALL_BYTES = 16;
    private static final int COUNTER_BYTES = 16;
    private static final int COUNTERS_OFFSET = THREAD_HEADER_BYTES + DEPTH * OPEN_CALL_BYTES;
    private static final int THREAD_BYTES = COUNTERS_OFFSET + MAX_FUNCTIONS * COUNTER_BYTES;
    private static final int THREADS_OFFSET = HEADER_BYTES + MAX_FUNCTIONS * FUNCTION_BYTES;
    private static final int COUNTED_ONLY = 2;

    private final List<FunctionEntry> functions = new ArrayList<>();
    private final List<ThreadEntry> threads = new ArrayList<>();
    private final long lostCalls;
    private final long loads;
    private final long starts;

    /** A function that was bound. */
    record FunctionEntry(String name, String library, boolean isTimed) {}

    /** Calls and self time of a function. */
    record Counter(long calls, long selfNs) {}

    /**
     * A thread as the program left it.
     *
     * @param openFunctions calls that have not returned, the innermost last
     */
    record ThreadEntry(
            Task task, Times times, long abandoned, List<Integer> openFunctions, Map<Integer, Counter> counters) {
        /** Names the thread. */
        record Task(int pid, int tid, String name, boolean isMain, int threads) {}

        /**
         * Contains its times, ns.
         *
         * @param endNs 0: the program did not end by itself, or it is not the first thread
         */
        record Times(long beginNs, long markNs, long endNs, long otherNs) {}
    }

    /**
     * Makes an empty table. The file is sparse: it takes as much memory as there are functions and threads.
     *
     * @throws IOException if it cannot be written
     */
    static void create(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), THREADS_OFFSET + (long) MAX_THREADS * THREAD_BYTES - 1);
            ByteBuffer magic = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(magic.putLong(0, MAGIC), 0);
        }
    }

    /** Reads a table. @throws IOException it cannot be read, or is none */
    static LibraryCallTable read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return new LibraryCallTable(channel);
        }
    }

    private LibraryCallTable(FileChannel channel) throws IOException {
        ByteBuffer header = bytes(channel, 0, HEADER_BYTES);
        if (header.getLong(0) != MAGIC) {
            throw new IOException("it is no table of library calls");
        }
        int functionCount = Math.min(header.getInt(8), MAX_FUNCTIONS);
        int threadCount = Math.min(header.getInt(12), MAX_THREADS);
        lostCalls = header.getLong(16);
        loads = header.getLong(24);
        starts = header.getLong(32);
        for (int i = 0; i < functionCount; i++) {
            ByteBuffer entry = bytes(channel, HEADER_BYTES + (long) i * FUNCTION_BYTES, FUNCTION_BYTES);
            functions.add(new FunctionEntry(
                    text(entry, NAME_OFFSET, NAME_BYTES),
                    text(entry, NAME_OFFSET + NAME_BYTES, LIBRARY_BYTES),
                    entry.getInt(0) != COUNTED_ONLY));
        }
        for (int i = 0; i < threadCount; i++) {
            threads.add(thread(channel, THREADS_OFFSET + (long) i * THREAD_BYTES));
        }
    }

    private ThreadEntry thread(FileChannel channel, long offset) throws IOException {
        ByteBuffer entry = bytes(channel, offset, THREAD_BYTES);
        int depth = Math.min(entry.getInt(48), DEPTH);
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            open.add((int) entry.getLong(THREAD_HEADER_BYTES + i * OPEN_CALL_BYTES + Long.BYTES));
        }
        Map<Integer, Counter> counters = new HashMap<>();
        for (int i = 0; i < functions.size(); i++) {
            long calls = entry.getLong(COUNTERS_OFFSET + i * COUNTER_BYTES);
            if (calls > 0) {
                counters.put(i, new Counter(calls, entry.getLong(COUNTERS_OFFSET + i * COUNTER_BYTES + Long.BYTES)));
            }
        }
        return new ThreadEntry(
                new ThreadEntry.Task(
                        entry.getInt(0),
                        entry.getInt(4),
                        text(entry, 64, 16),
                        entry.getInt(56) != 0,
                        entry.getInt(52) + 1),
                new ThreadEntry.Times(entry.getLong(8), entry.getLong(16), entry.getLong(24), entry.getLong(32)),
                entry.getLong(40),
                open,
                counters);
    }

    List<FunctionEntry> functions() {
        return functions;
    }

    List<ThreadEntry> threads() {
        return threads;
    }

    long lostCalls() {
        return lostCalls;
    }

    /** Returns how many programs have loaded the profiler: the one that was started, and those that it started. */
    long loads() {
        return loads;
    }

    /** Returns how many of them the dynamic linker did not start. */
    long notLoaded() {
        return loads - starts;
    }

    private static ByteBuffer bytes(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("the table is cut off");
            }
        }
        return buffer.flip();
    }

    private static String text(ByteBuffer entry, int offset, int length) {
        int end = offset;
        while (end < offset + length && entry.get(end) != 0) {
            end++;
        }
        byte[] letters = new byte[end - offset];
        entry.get(offset, letters);
        return new String(letters, StandardCharsets.UTF_8);
    }
}
