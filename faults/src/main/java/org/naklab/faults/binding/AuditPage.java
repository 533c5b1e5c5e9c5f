package org.naklab.faults.binding;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.faults.FaultException;

/**
 * The page that a process shares with the audit library in it: the delay goes in, the binds come out. The library lives in a
 * link namespace of its own and has nothing else in common with the process. Laid out as {@code naklab_audit.c} draws it.
 */
public final class AuditPage implements AutoCloseable {
    /** The longest delay that the library grants. */
    public static final long MAX_DELAY_NS = 10_000_000_000L;

    static final int PAGE_BYTES = 4096;
    private static final long MAGIC = 0x544944554b414e01L;
    private static final int DELAY_OFFSET = 8;
    private static final int LOADS_OFFSET = 16;
    private static final int BINDS_OFFSET = 24;
    private static final int RECORD_BYTES = 64;
    private static final int MAX_RECORDS = PAGE_BYTES / RECORD_BYTES - 1;
    private static final int SYMBOL_OFFSET = 32;
    private static final int SYMBOL_BYTES = 32;

    private final Path path;
    private final MappedByteBuffer mapping;
    private final UnsafeBuffer buffer;

    private AuditPage(Path path, MappedByteBuffer mapping) {
        this.path = path;
        this.mapping = mapping;
        buffer = new UnsafeBuffer(mapping);
    }

    /** Makes a page at a path where nothing is yet. */
    public static AuditPage create(Path path) {
        AuditPage page = map(path, StandardOpenOption.CREATE_NEW);
        page.buffer.putLongVolatile(0, MAGIC);
        return page;
    }

    /**
     * Opens the page that another process made.
     *
     * @throws FaultException if there is none
     */
    public static AuditPage open(Path path) {
        if (!Files.isReadable(path)) {
            throw new FaultException("no audit page at " + path);
        }
        AuditPage page = map(path, StandardOpenOption.READ);
        if (page.buffer.getLongVolatile(0) != MAGIC) {
            page.close();
            throw new FaultException(path + " is not an audit page");
        }
        return page;
    }

    private static AuditPage map(Path path, StandardOpenOption option) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, option)) {
            return new AuditPage(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE_BYTES));
        } catch (IOException e) {
            throw new FaultException("cannot map the audit page " + path, e);
        }
    }

    public Path path() {
        return path;
    }

    /** Sets how long the held symbol's bind takes from now on; 0: as long as it takes by itself. */
    public void delayNs(long delayNs) {
        if (delayNs < 0 || delayNs > MAX_DELAY_NS) {
            throw new FaultException("bind delay must be from 0 to " + MAX_DELAY_NS + " ns: " + delayNs);
        }
        buffer.putLongVolatile(DELAY_OFFSET, delayNs);
    }

    public long delayNs() {
        return buffer.getLongVolatile(DELAY_OFFSET);
    }

    /** Returns how many processes loaded the audit library with this page. 0: it is not there, and nothing will be delayed. */
    public long loads() {
        return buffer.getLongVolatile(LOADS_OFFSET);
    }

    /** The binds of the watched library, in the order in which they began, as far as they have ended. */
    public List<SymbolBind> binds() {
        int records = (int) Math.min(MAX_RECORDS, buffer.getLongVolatile(BINDS_OFFSET));
        List<SymbolBind> binds = new ArrayList<>(records);
        for (int i = 1; i <= records; i++) {
            int offset = i * RECORD_BYTES;
            long endNs = buffer.getLongVolatile(offset + Long.BYTES);
            if (endNs != 0) {
                binds.add(new SymbolBind(
                        symbolAt(offset),
                        buffer.getLong(offset),
                        endNs,
                        buffer.getInt(offset + 16),
                        buffer.getInt(offset + 20),
                        buffer.getInt(offset + 24) != 0));
            }
        }
        return binds;
    }

    private String symbolAt(int recordOffset) {
        byte[] bytes = new byte[SYMBOL_BYTES];
        buffer.getBytes(recordOffset + SYMBOL_OFFSET, bytes);
        int length = 0;
        while (length < SYMBOL_BYTES && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    /** Unmaps the page; the file stays. */
    @Override
    public void close() {
        IoUtil.unmap(mapping);
    }
}
