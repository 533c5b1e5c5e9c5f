package org.naklab.journaler;

import java.nio.file.Path;

/**
 * Iterates over a journal, or follows one that is being written, and checks again that its sequences rise. It changes nothing
 * in the journal's directory, never waits, and allocates nothing from record to record. Not thread-safe.
 */
public final class JournalReader implements AutoCloseable {
    private final EntryReader entries;
    private final FeedOrder order;
    private long eventsRead;

    private JournalReader(EntryReader entries) {
        this.entries = entries;
        order = new FeedOrder(entries.directory());
    }

    /**
     * Opens a journal at its first record.
     *
     * @throws JournalException when there is no journal, or none that can be read
     */
    public static JournalReader open(Path directory) {
        return new JournalReader(new EntryReader(directory));
    }

    /**
     * Reads the next record, an event or the trailer.
     *
     * @return false when there is none yet; ask again to follow the journal
     * @throws JournalException when the file is cut short or corrupt, or the record out of order
     */
    public boolean next(JournalEntry entry) {
        if (!entries.next(entry)) {
            return false;
        }
        if (entry.isDamaged()) {
            throw new JournalException("journal " + entries.directory() + ": the record after event "
                    + order.lastSequence() + " does not fit its checksum");
        }
        switch (entry.kind()) {
            case EVENT -> {
                order.event(entry.sequence());
                eventsRead++;
            }
            case TRAILER -> order.trailer(entry.sequence());
            case HEARTBEAT, OTHER, MALFORMED ->
                throw new JournalException("journal " + entries.directory() + ": the record after event "
                        + order.lastSequence() + " is neither an event nor a trailer");
        }
        return true;
    }

    /** Events read so far. */
    public long eventsRead() {
        return eventsRead;
    }

    /** The sequence of the last event read; 0 before the first. */
    public long lastSequence() {
        return order.lastSequence();
    }

    /** Sequences that the journal leaves out, so far. */
    public long eventsMissing() {
        return order.missing();
    }

    /** Returns whether the trailer was read: nothing follows it. */
    public boolean isTrailerRead() {
        return order.ended();
    }

    /** Returns whether the record after the last one read was begun and not finished, as a writer that was killed leaves it. */
    public boolean isEntryBegun() {
        return entries.isEntryBegun();
    }

    @Override
    public void close() {
        entries.close();
    }
}
