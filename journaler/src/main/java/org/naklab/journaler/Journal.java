package org.naklab.journaler;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.DirectBuffer;
import org.agrona.SystemUtil;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The system of record: every sequenced message once, in feed order, with its receive timestamp, and the trailer as the last
 * record. A Chronicle Queue written by one thread; appending allocates nothing. What was appended survives the death of the
 * process at once, and the loss of power once {@link #close()} has returned.
 *
 * <p>Files roll by receive time, not by a clock of the journal's own: the same events give the same files.
 */
public final class Journal implements AutoCloseable {
    private final Path directory;
    private final FeedOrder order;
    private final ReceiveTime receiveTime;
    private final boolean forceOnClose;
    private final ChronicleQueue queue;
    private final ExcerptAppender appender;
    private final Bytes<?> excerpt = Bytes.allocateDirect(EntryLayout.MAX_BYTES);
    private final UnsafeBuffer excerptBuffer = new UnsafeBuffer(excerpt.addressForWrite(0), EntryLayout.MAX_BYTES);
    private final AtomicLong eventsAppended = new AtomicLong();

    private Journal(Context context, ReceiveTime receiveTime, ChronicleQueue queue) {
        directory = context.directory();
        order = new FeedOrder(directory);
        forceOnClose = context.forceOnClose();
        this.receiveTime = receiveTime;
        this.queue = queue;
        appender = queue.createAppender();
        appender.singleThreadedCheckDisabled(true);
        EntryLayout.prepare(excerptBuffer);
    }

    /**
     * Begins a journal in a directory that holds none, and creates the directory when it is missing.
     *
     * @throws JournalException when the directory holds a journal already, or nothing can be written there
     */
    public static Journal create(Context context) {
        context.conclude();
        ReceiveTime receiveTime = new ReceiveTime(context.epochNanoClock().nanoTime());
        JournalDirectory.prepare(context.directory());
        try {
            ChronicleQueue queue = SingleChronicleQueueBuilder.binary(context.directory())
                    .rollCycle(context.rollPeriod().rollCycle())
                    .blockSize(context.blockSizeBytes())
                    .timeProvider(receiveTime)
                    .build();
            Journal journal = new Journal(context, receiveTime, queue);
            journal.createFirstFile();
            return journal;
        } catch (RuntimeException e) {
            throw new JournalException("cannot create a journal in " + context.directory() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Appends a sequenced message or the trailer. One thread only; it may be another than the creator's.
     *
     * @param receiveTimestampNs nanoseconds since the epoch
     * @param length the message's bytes, header included
     * @throws JournalException when the message belongs in no journal, is out of order, or cannot be written
     */
    public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        FeedMessage.Kind kind = FeedMessage.kind(message, offset, length);
        if (kind == FeedMessage.Kind.OTHER || length > EntryLayout.MAX_MESSAGE_BYTES) {
            throw new JournalException("journal " + directory + ": " + length
                    + " bytes that are neither a sequenced message nor a trailer");
        }
        long sequence = FeedMessage.sequence(message, offset);
        if (kind == FeedMessage.Kind.EVENT) {
            order.event(sequence);
        } else {
            order.trailer(sequence);
        }
        appendUnchecked(receiveTimestampNs, message, offset, length);
        if (kind == FeedMessage.Kind.EVENT) {
            eventsAppended.lazySet(eventsAppended.getPlain() + 1);
        }
    }

    /** Appends whatever it is given; tests write broken journals with it. */
    void appendUnchecked(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        receiveTime.advanceTo(receiveTimestampNs);
        int excerptLength = EntryLayout.write(excerptBuffer, receiveTimestampNs, message, offset, length);
        excerpt.readPositionRemaining(0, excerptLength);
        try {
            appender.writeBytes(excerpt);
        } catch (RuntimeException e) {
            throw new JournalException("cannot append to journal " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Events appended so far, the trailer not among them. Any thread. */
    public long eventsAppended() {
        return eventsAppended.get();
    }

    /** Sequences that the feed left out, so far and up to the last event or the trailer. The appending thread only. */
    public long eventsMissing() {
        return order.missing();
    }

    /** Where the journal is. */
    public Path directory() {
        return directory;
    }

    /** Ends the journal and, unless told otherwise, forces what was written to disk. Closing again does nothing. */
    @Override
    public void close() {
        if (queue.isClosed()) {
            return;
        }
        appender.close();
        queue.close();
        excerpt.releaseLast();
        if (forceOnClose) {
            force();
        }
    }

    /** So that the first append does not pay for it, and a reader finds a journal from the start. */
    private void createFirstFile() {
        try (DocumentContext document = appender.writingDocument()) {
            document.rollbackOnClose();
        }
    }

    /** Not by a channel: an interrupt would close it, and a thread that closes its journal may well be interrupted. */
    private void force() {
        for (Path file : JournalDirectory.cycleFiles(directory)) {
            try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
                access.getFD().sync();
            } catch (IOException e) {
                throw new JournalException("cannot force " + file + " to disk: " + e.getMessage(), e);
            }
        }
    }

    /** What a journal is created with. */
    public static final class Context {
        /** Bytes of a file that are mapped at a time, for instance {@code 64m}. */
        public static final String BLOCK_SIZE_PROPERTY = "naklab.journal.block.size";

        public static final long BLOCK_SIZE_DEFAULT_BYTES = 64L << 20;

        private @Nullable Path directory;
        private long blockSizeBytes = SystemUtil.getSizeAsLong(BLOCK_SIZE_PROPERTY, BLOCK_SIZE_DEFAULT_BYTES);
        private RollPeriod rollPeriod = RollPeriod.DAY;
        private boolean forceOnClose = true;
        private EpochNanoClock epochNanoClock = SystemEpochNanoClock.INSTANCE;

        /** Where the journal is to be; it must not hold one yet. */
        public Context directory(Path directory) {
            this.directory = directory;
            return this;
        }

        public Path directory() {
            return Objects.requireNonNull(directory, "directory");
        }

        /**
         * Bytes of a file that are mapped at a time. Big blocks map seldom; small ones hold less of the journal in the address
         * space, and so press less on the page cache that mapped libraries live in. Not below 128 KiB, the size of an index.
         */
        public Context blockSizeBytes(long blockSizeBytes) {
            this.blockSizeBytes = blockSizeBytes;
            return this;
        }

        public long blockSizeBytes() {
            return blockSizeBytes;
        }

        public Context rollPeriod(RollPeriod rollPeriod) {
            this.rollPeriod = rollPeriod;
            return this;
        }

        public RollPeriod rollPeriod() {
            return rollPeriod;
        }

        /** Whether closing forces the files to disk; it does unless told otherwise. */
        public Context forceOnClose(boolean forceOnClose) {
            this.forceOnClose = forceOnClose;
            return this;
        }

        public boolean forceOnClose() {
            return forceOnClose;
        }

        /** Dates the first file; afterwards the receive timestamps decide. */
        public Context epochNanoClock(EpochNanoClock epochNanoClock) {
            this.epochNanoClock = epochNanoClock;
            return this;
        }

        public EpochNanoClock epochNanoClock() {
            return epochNanoClock;
        }

        private void conclude() {
            if (blockSizeBytes < 128 << 10) {
                throw new JournalException("journal block size " + blockSizeBytes + " is below 128 KiB");
            }
        }
    }
}
