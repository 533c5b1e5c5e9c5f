package org.naklab.journaler.disk;

import java.io.IOException;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.Wire;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to a Chronicle Queue, and unmaps the blocks that it has left. One thread only; it may be another than the creator's.
 *
 * <p>The blocks are advised for random access ({@code MADV_RANDOM}): the kernel otherwise reads as far ahead as the disk's {@code read_ahead_kb} says
 * at a page fault. Ahead of the writer there is nothing to read, so it only fills megabytes with zeros, and they are no longer in a cache of the CPU when
 * the writer reaches them.
 *
 * <p>An appender of Chronicle does not unmap all of them. The array that it writes an index page through keeps the block of that page mapped.
 * Only a weak reference of the thread leads to the array, but the file keeps a strong one until it is closed. After each collection of
 * garbage the appender therefore takes a new array, and nobody releases the block of the old one: a journal of 5 GB kept 1 GB mapped. Closing the
 * appender closes the file, and with it all of its arrays.
 */
public final class QueueAppender implements AutoCloseable {
    /** A new appender costs about 70 KiB of garbage: with smaller blocks than this, several are left at a time. */
    private static final long LEAST_LEFT_BYTES = 16L << 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(QueueAppender.class);

    private final ChronicleQueue queue;
    private final long leftBytes;
    private ExcerptAppender appender;
    private long block;
    /** The mapping that was advised last. */
    private @Nullable BytesStore<?, ?> advised;

    private final boolean isRandomAccess;
    private boolean isRefused;

    /**
     * Begins to append at the end of the queue.
     *
     * @param blockSizeBytes what the queue maps at a time
     * @param isRandomAccess whether the blocks are advised for random access
     */
    public QueueAppender(ChronicleQueue queue, long blockSizeBytes, boolean isRandomAccess) {
        this.queue = queue;
        this.isRandomAccess = isRandomAccess;
        leftBytes = Math.max(blockSizeBytes, LEAST_LEFT_BYTES);
        appender = open(queue);
    }

    /** Writes what lies between the position and the limit of the excerpt. */
    public void write(Bytes<?> excerpt) {
        appender.writeBytes(excerpt);
        BytesStore<?, ?> mapping = mapping();
        if (mapping != advised) {
            advised = mapping;
            adviseRandom(mapping);
        }
    }

    private void adviseRandom(@Nullable BytesStore<?, ?> mapping) {
        if (mapping == null || isRefused || !isRandomAccess) {
            return;
        }
        String whyNot = Libc.whyMissing();
        if (whyNot == null) {
            long start = mapping.start();
            int answer = Libc.madvise(mapping.addressForRead(start), mapping.capacity() - start, Libc.MADV_RANDOM);
            whyNot = answer == 0 ? null : String.valueOf(Libc.lastError().getMessage());
        }
        if (whyNot != null) {
            isRefused = true;
            LOGGER.warn("the kernel reads ahead of the journal's writer: {}", whyNot);
        }
    }

    /** Returns the offset in the current file up to which it is written; 0 if there is no file yet. */
    public long position() {
        Wire wire = appender.wire();
        return wire == null ? 0 : wire.bytes().writePosition();
    }

    /**
     * Unmaps all of the file but what is being written, if the writer has left a block since it was last called; called before each append.
     *
     * @param position as {@link #position} returned it
     * @param spares lent for opening the file again; nothing is unmapped while they are not complete
     */
    public void leaveBlocks(long position, SpareDescriptors spares) {
        long current = position / leftBytes;
        if (current != block && spares.isComplete()) {
            block = current;
            spares.lend(SpareDescriptors.ROLL);
            try {
                appender.close();
                appender = open(queue);
            } finally {
                spares.takeBack(SpareDescriptors.ROLL);
            }
        }
    }

    /**
     * Detaches the pages before a position from the mapping that is written: they stay in the file, and a later access maps them again.
     *
     * @param position in the file, a multiple of the size of a page
     * @throws IOException if the system refuses
     */
    void detachPagesBefore(long position) throws IOException {
        BytesStore<?, ?> block = mapping();
        if (block == null || position <= block.start()) {
            return;
        }
        long length = Math.min(position, block.capacity()) - block.start();
        if (Libc.madvise(block.addressForRead(block.start()), length, Libc.MADV_DONTNEED) != 0) {
            throw Libc.lastError();
        }
    }

    /** Returns true once the queue is closed. */
    public boolean isClosed() {
        return queue.isClosed();
    }

    @Override
    public void close() {
        appender.close();
        queue.close();
    }

    /** Returns what is mapped around the writer's position; {@code null} if there is no file yet. */
    private @Nullable BytesStore<?, ?> mapping() {
        Wire wire = appender.wire();
        return wire == null ? null : wire.bytes().bytesStore();
    }

    private static ExcerptAppender open(ChronicleQueue queue) {
        ExcerptAppender appender = queue.createAppender();
        appender.singleThreadedCheckDisabled(true);
        return appender;
    }
}
