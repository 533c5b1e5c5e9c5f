package org.naklab.lab.replica.service;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/** A {@link ReferenceTable}, mapped privately. The feed's handler reads an entry of it now and then; the kernel may evict its pages as those of any file. */
final class ReferenceData implements AutoCloseable {
    private static final int PAGE_BYTES = 4_096;
    /** The handler reads so many bytes of an entry. */
    private static final int ROW_BYTES = 64;

    private final Path file;
    private final MappedByteBuffer table;
    private final long readEveryNs;
    private final SplittableRandom choice;
    private final NanoClock clock;
    private final byte[] row = new byte[ROW_BYTES];
    private final ByteBuffer fields = ByteBuffer.wrap(row);
    private long lastReadNs;
    /** Sum of what was read, so that no compiler leaves a read out. */
    private long checksum;

    private ReferenceData(MappedByteBuffer table, ReferenceTable description, NanoClock clock) {
        this.table = table;
        this.clock = clock;
        file = Path.of(description.file());
        readEveryNs = description.readEveryNs();
        choice = new SplittableRandom(description.seed());
        lastReadNs = clock.nanoTime();
    }

    /**
     * Writes and maps the table; returns {@code null} if there is none.
     *
     * @throws UncheckedIOException if the file cannot be written or mapped
     */
    static @Nullable ReferenceData launch(@Nullable ReferenceTable description) {
        return description == null ? null : launch(description, SystemNanoClock.INSTANCE);
    }

    /** Does the same with another clock. */
    static ReferenceData launch(ReferenceTable description, NanoClock clock) {
        try (FileChannel file = FileChannel.open(
                Path.of(description.file()),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            write(file, description.bytes());
            MappedByteBuffer table = file.map(FileChannel.MapMode.PRIVATE, 0, description.bytes());
            return new ReferenceData(table, description, clock);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the table " + description.file(), e);
        }
    }

    /** Writes page by page, so that the page cache keeps small folios, and puts all to disk: only what is there can be evicted. */
    private static void write(FileChannel file, long bytes) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        for (long entry = 0; entry * PAGE_BYTES < bytes; entry++) {
            page.clear().putLong(0, entry);
            while (page.hasRemaining()) {
                file.write(page);
            }
        }
        file.force(true);
    }

    /** Returns a handler that reads an entry, where it is time for one, and passes each fragment on. One thread. */
    ControlledFragmentHandler readBefore(ControlledFragmentHandler handler) {
        return (buffer, offset, length, header) -> {
            long nowNs = clock.nanoTime();
            if (nowNs - lastReadNs >= readEveryNs) {
                read();
                lastReadNs = clock.nanoTime();
            }
            return handler.onFragment(buffer, offset, length, header);
        };
    }

    private void read() {
        int entry = choice.nextInt(table.capacity() / PAGE_BYTES);
        table.get(entry * PAGE_BYTES, row);
        checksum += fields.getLong(0);
    }

    /**
     * Deletes the file; what is mapped stays.
     *
     * @throws UncheckedIOException if it cannot be deleted
     */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the table " + file, e);
        }
    }

    /** Returns the sum of the entries that were read, by their numbers. */
    long checksum() {
        return checksum;
    }
}
