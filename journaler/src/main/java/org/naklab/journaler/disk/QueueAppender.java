package org.naklab.journaler.disk;

import java.io.IOException;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.Wire;

/**
 * Appends to a Chronicle Queue, and unmaps the blocks that it has left. One thread only; it may be another than the creator's.
 *
 * <p>An appender of Chronicle does not unmap all of them. The array that it writes an index page through keeps the block of that page mapped.
 * Only a weak reference of the thread leads to the array, but the file keeps a strong one until it is closed. After each collection of
 * garbage the appender therefore takes a new array, and nobody releases the block of the old one: a journal of 5 GB kept 1 GB mapped. Closing the
 * appender closes the file, and with it all of its arrays.
 */
public final class QueueAppender implements AutoCloseable {
    /** A new appender costs about 70 KiB of garbage: with smaller blocks than this, several are left at a time. */
    private static final long LEAST_LEFT_BYTES = 16L << 20;

    private final ChronicleQueue queue;
    private final long leftBytes;
    private ExcerptAppender appender;
    private long block;

    /**
     * Begins to append at the end of the queue.
     *
     * @param blockSizeBytes what the queue maps at a time
     */
    public QueueAppender(ChronicleQueue queue, long blockSizeBytes) {
        this.queue = queue;
        leftBytes = Math.max(blockSizeBytes, LEAST_LEFT_BYTES);
        appender = open(queue);
    }

    /** Writes what lies between the position and the limit of the excerpt. */
    public void write(Bytes<?> excerpt) {
        appender.writeBytes(excerpt);
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
     */
    public void leaveBlocks(long position) {
        long current = position / leftBytes;
        if (current != block) {
            block = current;
            appender.close();
            appender = open(queue);
        }
    }

    /**
     * Detaches the pages before a position from the mapping that is written: they stay in the file, and a later access maps them again.
     *
     * @param position in the file, a multiple of the size of a page
     * @throws IOException if the system refuses
     */
    void detachPagesBefore(long position) throws IOException {
        Wire wire = appender.wire();
        BytesStore<?, ?> block = wire == null ? null : wire.bytes().bytesStore();
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

    private static ExcerptAppender open(ChronicleQueue queue) {
        ExcerptAppender appender = queue.createAppender();
        appender.singleThreadedCheckDisabled(true);
        return appender;
    }
}
