package org.naklab.journaler;

import java.nio.file.Path;

/**
 * Tells what a journal's records say of themselves beside their messages: the format, the feed, and whether each is what was written
 * after the one before it. A journal of format 1 says nothing of it. Not thread-safe.
 */
final class RecordChain {
    /** The format that is written. */
    static final int VERSION = 2;

    private final Path journal;
    private final Checksums checksums = new Checksums();
    private int version;
    private long feedId;

    RecordChain(Path journal) {
        this.journal = journal;
    }

    /** The format, 1 or 2; 0 before the first record that can be told. */
    int version() {
        return version;
    }

    /** The feed that the journal names; 0 while it names none. */
    long feedId() {
        return feedId;
    }

    /**
     * Takes in the next record, and marks it when it is damaged.
     *
     * @throws JournalException when the journal is of a later format
     */
    void accept(JournalEntry entry) {
        if (version == 0) {
            begin(entry);
        }
        if (entry.isSealed() != (version == VERSION)) {
            entry.disown();
        } else if (version != VERSION) {
            return;
        } else if (!entry.isChecked(checksums)) {
            entry.damaged();
        } else if (entry.isFeed()) {
            acceptFeed(entry);
        }
    }

    /** The first record that can be told decides; one that has a checksum but names no feed has lost what stood before it. */
    private void begin(JournalEntry entry) {
        if (entry.isSealed()) {
            version = VERSION;
        } else if (entry.kind().isJournaled()) {
            version = 1;
        }
    }

    private void acceptFeed(JournalEntry entry) {
        if (entry.formatVersion() != VERSION) {
            throw new JournalException("journal " + journal + " is of format " + entry.formatVersion()
                    + "; this program reads formats 1 and " + VERSION);
        }
        if (feedId != 0 && entry.feedId() != feedId) {
            entry.damaged();
        } else {
            feedId = entry.feedId();
        }
    }
}
