package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.agrona.IoUtil;
import org.agrona.SemanticVersion;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;

/**
 * An Aeron driver's command-and-control file: its counters can be read from any process, whatever the driver's threads are doing. It is mapped read-only,
 * unless another user can change it: memory whose file that user makes shorter must not be touched, so what such a file holds is copied by {@code pread} each time.
 */
final class CncFile implements AutoCloseable {
    /** A driver has more counters of its own. */
    private static final long LEAST_COUNTERS = 64;
    /** Bounds the counters of another user's driver, with their descriptions: more than any driver needs. */
    private static final long MOST_COPIED_BYTES = 64 << 20;
    /** Descriptions that are copied at a time, until one is not in use. */
    private static final int COPIED_DESCRIPTIONS = 64;

    private final Path file;
    private final CountersReader counters;
    private final long pid;
    private final @Nullable ByteBuffer mapped;
    private final @Nullable Copy copy;

    private CncFile(
            Path file,
            UnsafeBuffer metaData,
            CountersReader counters,
            @Nullable ByteBuffer mapped,
            @Nullable Copy copy) {
        this.file = file;
        this.counters = counters;
        this.mapped = mapped;
        this.copy = copy;
        pid = CncFileDescriptor.pid(metaData);
    }

    /**
     * Opens the file of a driver that runs.
     *
     * @param aeronDirectory as the driver was given it
     * @throws DetectException there is none, it is not ready yet, or of another format
     */
    static CncFile map(Path aeronDirectory) {
        Path file = aeronDirectory.resolve(CncFileDescriptor.CNC_FILE);
        ForeignFile.Opened opened = open(file, "no Aeron driver in " + aeronDirectory);
        boolean isCopied = false;
        try {
            FileChannel channel = opened.channel();
            ByteBuffer head = ByteBuffer.allocateDirect(CncFileDescriptor.END_OF_METADATA_OFFSET);
            if (!read(channel, head, 0)) {
                throw new DetectException("no Aeron driver in " + aeronDirectory);
            }
            UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(head);
            requireFormat(aeronDirectory, metaData.getInt(CncFileDescriptor.cncVersionOffset(0)));
            if (!isWhole(metaData, channel.size())) {
                throw new DetectException("the file " + file + " is damaged: its lengths are not those of its content");
            }
            isCopied = opened.isOfOthers();
            return isCopied ? copied(file, channel, metaData) : mapped(file, channel, metaData);
        } catch (IOException e) {
            throw new DetectException("the file " + file + " cannot be read: " + e.getMessage(), e);
        } finally {
            if (!isCopied) {
                close(opened.channel());
            }
        }
    }

    private static CncFile mapped(Path file, FileChannel channel, UnsafeBuffer metaData) throws IOException {
        ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        CountersReader counters = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(mapped, metaData),
                CncFileDescriptor.createCountersValuesBuffer(mapped, metaData));
        return new CncFile(file, metaData, counters, mapped, null);
    }

    private static CncFile copied(Path file, FileChannel channel, UnsafeBuffer metaData) {
        Copy copy = new Copy(channel, metaData);
        CncFile copied = new CncFile(
                file,
                metaData,
                new CountersReader(new UnsafeBuffer(copy.descriptions), new UnsafeBuffer(copy.values)),
                null,
                copy);
        try {
            copied.update();
            return copied;
        } catch (DetectException e) {
            copied.close();
            throw e;
        }
    }

    /** @param otherwise what is said if there is no such file */
    static ForeignFile.Opened open(Path file, String otherwise) {
        try {
            return ForeignFile.openShared(file);
        } catch (IOException e) {
            throw new DetectException(otherwise, e);
        }
    }

    /** Fills a buffer from its position on; false if the file is too short. */
    static boolean read(FileChannel channel, ByteBuffer into, long fromOffset) throws IOException {
        long offset = fromOffset;
        while (into.hasRemaining()) {
            int count = channel.read(into, offset);
            if (count <= 0) {
                return false;
            }
            offset += count;
        }
        return true;
    }

    private static void requireFormat(Path aeronDirectory, int version) {
        if (SemanticVersion.major(version) != SemanticVersion.major(CncFileDescriptor.CNC_VERSION)
                || SemanticVersion.minor(version) < SemanticVersion.minor(CncFileDescriptor.CNC_VERSION)) {
            throw new DetectException(
                    version == 0
                            ? "the Aeron driver in " + aeronDirectory + " is not ready"
                            : "the Aeron driver in " + aeronDirectory + " has another format: "
                                    + SemanticVersion.toString(version));
        }
    }

    /** Returns whether the parts that the file declares lie in it, and whether each counter has its description. Anyone can make such a file. */
    private static boolean isWhole(UnsafeBuffer metaData, long fileLength) {
        long descriptions = metaData.getInt(CncFileDescriptor.countersMetaDataBufferLengthOffset(0));
        long values = metaData.getInt(CncFileDescriptor.countersValuesBufferLengthOffset(0));
        long[] parts = {
            metaData.getInt(CncFileDescriptor.toDriverBufferLengthOffset(0)),
            metaData.getInt(CncFileDescriptor.toClientsBufferLengthOffset(0)),
            descriptions,
            values,
            metaData.getInt(CncFileDescriptor.errorLogBufferLengthOffset(0))
        };
        long needed =
                CncFileDescriptor.END_OF_METADATA_OFFSET + Arrays.stream(parts).sum();
        return Arrays.stream(parts).allMatch(length -> length >= 0)
                && needed <= Math.min(fileLength, Integer.MAX_VALUE)
                && values >= LEAST_COUNTERS * CountersReader.COUNTER_LENGTH
                && descriptions / CountersReader.METADATA_LENGTH >= values / CountersReader.COUNTER_LENGTH;
    }

    /** Returns whether the counters are copies, which change when they are updated only. */
    boolean isCopied() {
        return copy != null;
    }

    /**
     * Takes the counters that the file holds now, with their descriptions.
     *
     * @throws DetectException another user made the file shorter, or it cannot be read any more
     */
    void update() {
        Copy all = copy;
        if (all != null && !(all.takeDescriptions() && all.takeValues(all.values))) {
            throw new DetectException("the file " + file + " became shorter, or cannot be read any more");
        }
    }

    /** Takes the values of the known counters that the file holds now; false if they cannot be read any more, which {@link #update} tells. */
    boolean updateValues() {
        Copy all = copy;
        return all == null || all.takeValues(all.sampledValues);
    }

    /**
     * Returns what a reader makes of a driver's files.
     *
     * @throws DetectException what it reads cannot be what a driver wrote
     */
    static <T> T parsed(Path aeronDirectory, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
            throw new DetectException("the files of the Aeron driver in " + aeronDirectory + " are damaged", e);
        }
    }

    CountersReader counters() {
        return counters;
    }

    /** Returns the process id of the driver. */
    long pid() {
        return pid;
    }

    @Override
    public void close() {
        if (mapped != null) {
            IoUtil.unmap(mapped);
        }
        Copy all = copy;
        if (all != null) {
            close(all.channel);
        }
    }

    static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new DetectException("a file of an Aeron driver cannot be closed: " + e.getMessage(), e);
        }
    }

    /** The counters of a file that another user can change, in memory of this process. Of each of its buffers, one thread has the position. */
    private static final class Copy {
        private final FileChannel channel;
        private final long beginOffset;
        private final ByteBuffer descriptions;
        private final ByteBuffer values;
        /** The same memory, for the thread that samples. */
        private final ByteBuffer sampledValues;

        private volatile int known;

        Copy(FileChannel channel, UnsafeBuffer metaData) {
            this.channel = channel;
            long descriptionBytes = metaData.getInt(CncFileDescriptor.countersMetaDataBufferLengthOffset(0));
            long valueBytes = metaData.getInt(CncFileDescriptor.countersValuesBufferLengthOffset(0));
            if (descriptionBytes + valueBytes > MOST_COPIED_BYTES) {
                throw new DetectException("the Aeron driver of another user has room for "
                        + (valueBytes / CountersReader.COUNTER_LENGTH) + " counters, more than are read");
            }
            beginOffset = (long) CncFileDescriptor.END_OF_METADATA_OFFSET
                    + metaData.getInt(CncFileDescriptor.toDriverBufferLengthOffset(0))
                    + metaData.getInt(CncFileDescriptor.toClientsBufferLengthOffset(0));
            descriptions = ByteBuffer.allocateDirect((int) descriptionBytes);
            values = ByteBuffer.allocateDirect((int) valueBytes);
            sampledValues = values.duplicate();
        }

        boolean takeDescriptions() {
            int most = values.capacity() / CountersReader.COUNTER_LENGTH;
            UnsafeBuffer view = new UnsafeBuffer(descriptions);
            for (int first = 0; first < most; first += COPIED_DESCRIPTIONS) {
                int end = Math.min(most, first + COPIED_DESCRIPTIONS);
                if (!take(
                        descriptions,
                        0,
                        first * CountersReader.METADATA_LENGTH,
                        end * CountersReader.METADATA_LENGTH)) {
                    return false;
                }
                known = end;
                if (view.getInt((end - 1) * CountersReader.METADATA_LENGTH) == CountersReader.RECORD_UNUSED) {
                    break;
                }
            }
            return true;
        }

        boolean takeValues(ByteBuffer view) {
            return take(view, descriptions.capacity(), 0, known * CountersReader.COUNTER_LENGTH);
        }

        private boolean take(ByteBuffer part, long partOffset, int from, int to) {
            try {
                return read(channel, part.limit(to).position(from), beginOffset + partOffset + from);
            } catch (IOException e) {
                return false;
            }
        }
    }
}
