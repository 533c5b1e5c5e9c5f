package org.naklab.journaler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.SystemUtil;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.disk.Disk;
import org.naklab.journaler.disk.FileSpace;
import org.naklab.journaler.disk.LocalDisk;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.journaler.disk.QueueAppender;
import org.naklab.journaler.disk.ReceiveTime;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;

/**
 * The system of record: every sequenced message once, in feed order, with its receive timestamp, and the trailer as the last
 * record. A Chronicle Queue written by one thread; appending allocates nothing. What was appended survives the death of the
 * process at once, and the loss of power once {@link #close()} has returned.
 *
 * <p>Files roll by receive time, not by a clock of the journal's own: the same events give the same files. While the process has no descriptors for a new
 * file, the journal goes on in the old one. The blocks of a file are allocated before they are written, so that a full disk refuses an append and takes
 * nothing back. Blocks that the writer has left are unmapped, however long the journal gets.
 */
public final class Journal implements AutoCloseable {
    private static final int METADATA_BYTES = 128 << 10;

    private final Path directory;
    private final FeedOrder order;
    private final ReceiveTime receiveTime;
    private final Disk disk;
    private final FileSpace space;
    private final boolean forceOnClose;
    private final QueueAppender appender;
    private final RecordWriter writer;
    private final Checksums checksums = new Checksums();
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[Checksums.RECORD_OFFSET + EntryLayout.MAX_BYTES]);
    private final Bytes<?> excerpt = Bytes.allocateDirect(EntryLayout.MAX_BYTES);
    private final UnsafeBuffer excerptBuffer = new UnsafeBuffer(excerpt.addressForWrite(0), EntryLayout.MAX_BYTES);
    private final AtomicLong eventsAppended = new AtomicLong();
    private long lastReceiveTimestampNs = Long.MIN_VALUE;
    private long lastSequence;
    private long feedId;
    private volatile boolean isForced;
    private @Nullable JournalException broken;

    private Journal(Context context, ReceiveTime receiveTime, FileSpace space, ChronicleQueue queue) {
        this.receiveTime = receiveTime;
        this.space = space;
        directory = context.directory();
        order = new FeedOrder(directory);
        disk = context.disk();
        forceOnClose = context.forceOnClose();
        appender = new QueueAppender(queue, context.blockSizeBytes(), context.isRandomAccess());
        writer = context.recordWriter.apply(appender::write);
        excerpt.singleThreadedCheckDisabled(true);
    }

    /**
     * Begins a journal in a directory that holds nothing, and creates the directory when it is missing.
     *
     * @throws JournalException when the directory holds a journal already, or nothing can be written there
     */
    public static Journal create(Context context) {
        context.conclude();
        ReceiveTime receiveTime = new ReceiveTime(context.epochNanoClock().nanoTime());
        Path directory = context.directory();
        JournalDirectory.prepare(directory);
        FileSpace space = new FileSpace(context.roll(), receiveTime, context.disk(), context.pageCachePolicy());
        ChronicleQueue queue = null;
        try {
            // Chronicle makes its metadata itself, without blocks: here it is seen that there is room for it too.
            Path room = directory.resolve("room-for-metadata");
            context.disk().allocate(room, 0, METADATA_BYTES);
            space.beginFile();
            Files.delete(room);
            queue = SingleChronicleQueueBuilder.binary(directory)
                    .rollCycle(context.rollPeriod().rollCycle())
                    .blockSize(context.blockSizeBytes())
                    .timeProvider(receiveTime)
                    .build();
            Journal journal = new Journal(context, receiveTime, space, queue);
            journal.createFirstFile(context.feedId());
            return journal;
        } catch (IOException | RuntimeException | InternalError e) {
            CloseHelper.quietClose(queue);
            space.close();
            String reason = e instanceof IOException io ? JournalDirectory.reason(io) : e.getMessage();
            throw new JournalException("cannot create a journal in " + directory + ": " + reason, e);
        }
    }

    /**
     * Appends a sequenced message or the trailer. One thread only; it may be another than the creator's.
     *
     * @param receiveTimestampNs nanoseconds since the epoch, not lower than that of the record before
     * @param length the message's bytes, header included
     * @throws JournalException when the message belongs in no journal, is out of order, or cannot be written; the journal is
     *     then broken, unless it is the message that is at fault
     */
    public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        requireUnbroken();
        MessageKind kind = FeedMessages.kind(message, offset, length);
        if (!kind.isJournaled() || length > EntryLayout.MAX_MESSAGE_BYTES) {
            throw new JournalException("journal " + directory + ": " + length
                    + " bytes that are neither a sequenced message nor a trailer");
        }
        if (receiveTimestampNs < lastReceiveTimestampNs) {
            throw new JournalException("journal " + directory + ": receive timestamp " + receiveTimestampNs
                    + " follows " + lastReceiveTimestampNs + ": receive timestamps must not fall");
        }
        long sequence = FeedMessages.sequence(message, offset);
        if (kind == MessageKind.EVENT) {
            order.event(sequence);
        } else {
            order.trailer(sequence);
        }
        appendUnchecked(receiveTimestampNs, message, offset, length);
        if (kind == MessageKind.EVENT) {
            lastSequence = sequence;
            eventsAppended.lazySet(eventsAppended.getPlain() + 1);
        }
    }

    /** Appends whatever it is given; tests write broken journals with it. */
    void appendUnchecked(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
        lastReceiveTimestampNs = receiveTimestampNs;
        receiveTime.advanceTo(receiveTimestampNs);
        EntryLayout.prepare(record, Checksums.RECORD_OFFSET);
        write(EntryLayout.write(record, Checksums.RECORD_OFFSET, receiveTimestampNs, message, offset, length));
    }

    /**
     * Names the feed that the journal holds, once it is known; not by another name than before. The appending thread only.
     *
     * @throws JournalException when the journal is another feed's, or cannot be written
     */
    public void feedId(long feedId) {
        if (this.feedId == feedId) {
            return;
        }
        if (this.feedId != 0) {
            throw new JournalException(String.format(
                    "journal %s holds feed %016x and takes none of feed %016x", directory, this.feedId, feedId));
        }
        this.feedId = feedId;
        writeFeed();
    }

    /** Events appended so far, the trailer not among them; of a broken journal those that can be read. Any thread. */
    public long eventsAppended() {
        return eventsAppended.get();
    }

    /** Sequences that the feed left out, so far and up to the last event or the trailer. The appending thread only. */
    public long eventsMissing() {
        return order.missing();
    }

    /** Bytes of the file in use that are written. The appending thread only. */
    public long position() {
        return appender.position();
    }

    /** Returns where the journal is. */
    public Path directory() {
        return directory;
    }

    /** Returns whether the journal was closed, and its files and their directory were forced to disk after the last record. Any thread. */
    public boolean isForced() {
        return isForced;
    }

    /**
     * Takes what was appended for lost from the first record on that cannot be read. For an error of the mapped file, which can
     * come later than what caused it, and outside of this class. The appending thread only.
     *
     * @return says so in one line; every further append throws it
     */
    public JournalException breakUp(Throwable cause) {
        if (broken == null) {
            space.release();
            JournalRecount recount = JournalRecount.of(directory);
            eventsAppended.set(Math.min(eventsAppended.get(), recount.events()));
            broken = brokenBy(String.valueOf(cause.getMessage()), recount.lastSequence(), cause);
        }
        return broken;
    }

    /**
     * Ends the journal and, unless told otherwise, forces what was written to disk. Closing again does nothing.
     *
     * @throws JournalException when the disk does not confirm it
     */
    @Override
    public void close() {
        if (appender.isClosed()) {
            return;
        }
        space.release();
        try {
            appender.close();
        } catch (RuntimeException | InternalError e) {
            throw breakUp(e);
        } finally {
            excerpt.releaseLast();
            space.close();
        }
        if (forceOnClose) {
            force();
            isForced = true;
        }
    }

    /** So that the first append does not pay for it, and a reader finds a journal from the start. */
    private void createFirstFile(long knownFeedId) throws IOException {
        Path metadata = directory.resolve(JournalDirectory.METADATA);
        disk.allocate(metadata, 0, Files.size(metadata));
        feedId = knownFeedId;
        writeFeed();
        space.beginPages();
    }

    private void writeFeed() {
        write(FeedLayout.write(record, Checksums.RECORD_OFFSET, RecordChain.VERSION, feedId));
    }

    private void write(int length) {
        requireUnbroken();
        makeRoom();
        int sealedLength = checksums.seal(record, length);
        excerptBuffer.putBytes(0, record, Checksums.RECORD_OFFSET, sealedLength);
        excerpt.readPositionRemaining(0, sealedLength);
        try {
            writer.write(excerpt);
        } catch (RuntimeException | Error e) {
            // An error too: a page that the disk does not have is an InternalError here.
            throw breakUp(e);
        }
        space.onWritten();
    }

    private void requireUnbroken() {
        if (broken != null) {
            throw broken;
        }
    }

    /** Nothing was written when it fails, so what was counted is there. */
    private void makeRoom() {
        long position = appender.position();
        boolean beginsFile;
        try {
            beginsFile = space.makeRoom(position);
        } catch (IOException e) {
            String why = "no blocks can be allocated for " + space.file() + ", " + JournalDirectory.reason(e);
            broken = brokenBy(why, lastSequence, e);
            throw broken;
        }
        if (!beginsFile) {
            leave(position);
        }
    }

    private void leave(long position) {
        try {
            space.leave(appender, position);
        } catch (IOException | RuntimeException | Error e) {
            throw breakUp(e);
        }
    }

    private JournalException brokenBy(String why, long lastGoodSequence, Throwable cause) {
        return new JournalException(
                "cannot append to journal " + directory + ": " + why + "; it is good up to event " + lastGoodSequence,
                cause);
    }

    private void force() {
        for (Path file : JournalDirectory.list(directory)) {
            force(file);
        }
        force(directory);
    }

    private void force(Path path) {
        try {
            disk.force(path);
        } catch (IOException e) {
            throw new JournalException("cannot force " + path + " to disk: " + JournalDirectory.reason(e), e);
        }
    }

    /** Takes note of each file that is begun after the first. */
    @FunctionalInterface
    public interface RollListener {
        /**
         * Handles the end of a roll, on the appending thread: the first record of the new file is written.
         *
         * @param beginNs of {@link System#nanoTime}, before the file was created
         */
        void onRoll(long beginNs, long endNs);
    }

    /** Writes one record at the end of the queue. */
    @FunctionalInterface
    interface RecordWriter {
        /**
         * Writes what lies between the position and the limit of the excerpt.
         *
         * @throws InternalError when the disk does not have the page that the record falls on
         */
        void write(Bytes<?> excerpt);
    }

    /** Tells what a journal is created with. */
    public static final class Context {
        /** Bytes of a file that are mapped at a time, for instance {@code 64m}. */
        public static final String BLOCK_SIZE_PROPERTY = "naklab.journal.block.size";

        public static final long BLOCK_SIZE_DEFAULT_BYTES = 64L << 20;

        /** Names the policy for the pages that a journal has written: {@code kept} or {@code polite}. */
        public static final String PAGE_CACHE_PROPERTY = "naklab.journal.page.cache";

        /** Whether the kernel is told that the pages are accessed in no order, so that it reads nothing ahead of the writer: {@code true} or {@code false}. */
        public static final String RANDOM_ACCESS_PROPERTY = "naklab.journal.random.access";

        private @Nullable Path directory;
        private final boolean isRandomAccess = !"false".equals(System.getProperty(RANDOM_ACCESS_PROPERTY));
        private long blockSizeBytes = SystemUtil.getSizeAsLong(BLOCK_SIZE_PROPERTY, BLOCK_SIZE_DEFAULT_BYTES);
        private RollPeriod rollPeriod = RollPeriod.DAY;
        private boolean forceOnClose = true;
        private PageCachePolicy pageCachePolicy = PageCachePolicy.ofProperty(PAGE_CACHE_PROPERTY);
        private long feedId;
        private Disk disk = LocalDisk.INSTANCE;
        private UnaryOperator<RecordWriter> recordWriter = UnaryOperator.identity();
        private EpochNanoClock epochNanoClock = SystemEpochNanoClock.INSTANCE;
        private RollListener rollListener = (beginNs, endNs) -> {};

        /** Sets where the journal is to be; it must not hold one yet. */
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

        /** Sets whether closing forces the files to disk; it does unless told otherwise. */
        public Context forceOnClose(boolean forceOnClose) {
            this.forceOnClose = forceOnClose;
            return this;
        }

        public boolean forceOnClose() {
            return forceOnClose;
        }

        /** Sets the policy for the pages that the journal has written; by default they are kept. */
        public Context pageCachePolicy(PageCachePolicy pageCachePolicy) {
            this.pageCachePolicy = pageCachePolicy;
            return this;
        }

        public PageCachePolicy pageCachePolicy() {
            return pageCachePolicy;
        }

        public boolean isRandomAccess() {
            return isRandomAccess;
        }

        /** The id of the feed that the journal is to hold; 0, the default, when it is not known yet. */
        public Context feedId(long feedId) {
            this.feedId = feedId;
            return this;
        }

        public long feedId() {
            return feedId;
        }

        /** In place of this machine's file system. */
        public Context disk(Disk disk) {
            this.disk = disk;
            return this;
        }

        public Disk disk() {
            return disk;
        }

        /** Wraps the writer of the queue's records; tests let a write fail with it. */
        Context recordWriter(UnaryOperator<RecordWriter> wrapper) {
            this.recordWriter = wrapper;
            return this;
        }

        /** Dates the first file; afterwards the receive timestamps decide. */
        public Context epochNanoClock(EpochNanoClock epochNanoClock) {
            this.epochNanoClock = epochNanoClock;
            return this;
        }

        public EpochNanoClock epochNanoClock() {
            return epochNanoClock;
        }

        /** Takes note of each file that is begun after the first. */
        public Context rollListener(RollListener rollListener) {
            this.rollListener = rollListener;
            return this;
        }

        public RollListener rollListener() {
            return rollListener;
        }

        private FileSpace.Roll roll() {
            return new FileSpace.Roll() {
                @Override
                public Path file(long timeMs) {
                    return directory().resolve(rollPeriod.fileName(timeMs));
                }

                @Override
                public long fileEndMs(long timeMs) {
                    return rollPeriod.fileEndMs(timeMs);
                }

                @Override
                public void onRoll(long beginNs, long endNs) {
                    rollListener.onRoll(beginNs, endNs);
                }
            };
        }

        private void conclude() {
            if (blockSizeBytes < 128 << 10) {
                throw new JournalException("journal block size " + blockSizeBytes + " is below 128 KiB");
            }
        }
    }
}
