package org.naklab.journaler;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.BitUtil;

/**
 * Reads one file of a Chronicle Queue, record by record, while it may still be written. FORMAT.md draws the framing.
 *
 * <p>Chronicle's own read-only tailer fixes its view when it is made and so cannot follow a file that grows, maps beyond the
 * end of a file that was cut short, and waits for entries that a killed writer began; its other tailer writes to the
 * directory. A record of evidence must be readable in all three cases without being touched.
 */
final class CycleFile implements AutoCloseable {
    /** Tells what the next record of the file is. */
    enum Step {
        /** A record was read. */
        ENTRY,
        /** Nothing was written here yet. */
        NOTHING_YET,
        /** An entry was begun and not finished: the writer is at it, or died at it. */
        BEGUN,
        /** The writer went on to another file. */
        END_OF_FILE
    }

    /** Framing, from net.openhft.chronicle.wire.Wires. */
    private static final int NOT_COMPLETE = 0x8000_0000;

    private static final int META_DATA = 0x4000_0000;
    private static final int END_OF_DATA = NOT_COMPLETE | META_DATA;
    private static final int LENGTH_MASK = 0x3FFF_FFFF;
    static final int HEADER_BYTES = 4;

    private static final byte[] STORE_TYPE = "SCQStore".getBytes(StandardCharsets.US_ASCII);
    private static final int STORE_TYPE_SEARCH_BYTES = 64;
    private static final int WINDOW_BYTES = 16 << 20;

    private final Path file;
    private final MappedWindow window;
    private long position;

    CycleFile(Path file) {
        this.file = file;
        window = new MappedWindow(file, WINDOW_BYTES);
    }

    Path path() {
        return file;
    }

    /** Returns where the next record is, or will be. */
    long position() {
        return position;
    }

    /**
     * Makes sure that the file has been begun.
     *
     * @throws JournalException when it is empty or anything but a file of a Chronicle Queue
     */
    void requireStore() {
        int header = header();
        if (header == 0 || (header & NOT_COMPLETE) != 0) {
            throw new JournalException(file + " is empty: no Chronicle Queue has written its header");
        }
        checkStore(header & LENGTH_MASK, (header & META_DATA) != 0);
    }

    /**
     * Reads the next record, if there is one; index and header records are passed over.
     *
     * @throws JournalException when the file is cut short or corrupt, or the disk does not give its content
     */
    Step next(JournalEntry entry) {
        try {
            return step(entry);
        } catch (InternalError e) {
            throw MappedWindow.unreadable(file, e);
        }
    }

    private Step step(JournalEntry entry) {
        while (true) {
            int header = header();
            if (header == 0) {
                return Step.NOTHING_YET;
            }
            if (header == END_OF_DATA) {
                return Step.END_OF_FILE;
            }
            if ((header & NOT_COMPLETE) != 0) {
                return Step.BEGUN;
            }
            int length = header & LENGTH_MASK;
            boolean isMetaData = (header & META_DATA) != 0;
            if (position == 0) {
                checkStore(length, isMetaData);
            }
            if (!isMetaData) {
                readEntry(length, entry);
            }
            position += HEADER_BYTES + BitUtil.align(length, HEADER_BYTES);
            if (!isMetaData) {
                return Step.ENTRY;
            }
        }
    }

    @Override
    public void close() {
        window.close();
    }

    /** The writer publishes a record by writing its header last. */
    private int header() {
        if (!window.shows(position, HEADER_BYTES)) {
            if (position == 0) {
                return 0;
            }
            throw new JournalException(
                    file + " is cut short: it ends before offset " + position + ", where more must follow");
        }
        return window.buffer().getIntVolatile(window.offset(position));
    }

    private void readEntry(int length, JournalEntry entry) {
        if (length > EntryLayout.MAX_BYTES) {
            throw new JournalException(
                    file + " is corrupt: the entry at offset " + position + " claims " + length + " bytes");
        }
        if (!window.shows(position, HEADER_BYTES + length)) {
            throw new JournalException(file + " is cut short: it ends within the entry at offset " + position + " of "
                    + length + " bytes");
        }
        int at = window.offset(position) + HEADER_BYTES;
        entry.copyFrom(window.buffer(), at, length);
        // The zeros up to the next multiple of four; where the file ends within them, it is cut short for the next
        // record.
        int end = Math.min(
                at + BitUtil.align(length, HEADER_BYTES), window.buffer().capacity());
        for (int i = at + length; i < end; i++) {
            if (window.buffer().getByte(i) != 0) {
                entry.damaged();
            }
        }
    }

    /** The first record of a queue's file names the type of its store. */
    private void checkStore(int length, boolean isMetaData) {
        int searchLength = Math.min(length, STORE_TYPE_SEARCH_BYTES);
        if (isMetaData && window.shows(0, HEADER_BYTES + searchLength)) {
            for (int i = HEADER_BYTES; i + STORE_TYPE.length <= HEADER_BYTES + searchLength; i++) {
                if (isStoreTypeAt(i)) {
                    return;
                }
            }
        }
        throw new JournalException(file + " is not a Chronicle Queue file, or its header is corrupt");
    }

    private boolean isStoreTypeAt(int offset) {
        for (int i = 0; i < STORE_TYPE.length; i++) {
            if (window.buffer().getByte(offset + i) != STORE_TYPE[i]) {
                return false;
            }
        }
        return true;
    }
}
