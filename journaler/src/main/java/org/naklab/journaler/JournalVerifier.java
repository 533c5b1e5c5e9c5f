package org.naklab.journaler;

import java.nio.file.Path;
import org.naklab.messaging.FeedDigest;

/** Checks a journal against the feed's rules and its trailer. */
public final class JournalVerifier {
    private final SequenceAudit audit = new SequenceAudit();
    private final FeedDigest digest = new FeedDigest();
    private long unreadable;
    private long afterTrailer;
    private boolean trailerSeen;
    private long trailerCount;
    private long trailerDigest;

    private JournalVerifier() {}

    /**
     * Reads a journal from end to end; it may be one whose writer was killed. Nothing in its directory changes.
     *
     * @throws JournalException when the directory is missing or no journal, or a file is cut short or corrupt
     */
    public static Verification verify(Path directory) {
        JournalVerifier verifier = new JournalVerifier();
        JournalEntry entry = new JournalEntry();
        try (EntryReader reader = new EntryReader(directory)) {
            while (reader.next(entry)) {
                verifier.accept(entry);
            }
            return verifier.verification(directory, reader.isEntryBegun());
        }
    }

    private void accept(JournalEntry entry) {
        if (trailerSeen) {
            afterTrailer++;
            return;
        }
        switch (entry.kind()) {
            case EVENT -> acceptEvent(entry);
            case TRAILER -> {
                trailerSeen = true;
                trailerCount = entry.sequence();
                trailerDigest = entry.trailerDigest();
            }
            case OTHER -> unreadable++;
        }
    }

    private void acceptEvent(JournalEntry entry) {
        if (entry.sequence() < 1) {
            unreadable++;
            return;
        }
        audit.accept(entry.sequence());
        digest.update(entry.message(), 0, entry.length());
    }

    private Verification verification(Path directory, boolean entryBegun) {
        long lastSequence = audit.highestSequence();
        audit.expectUpTo(trailerCount);
        return new Verification(
                directory,
                digest.events(),
                audit.firstSequence(),
                lastSequence,
                audit.gaps(),
                audit.missing(),
                audit.duplicates(),
                audit.reordered(),
                unreadable,
                afterTrailer,
                entryBegun,
                trailerSeen,
                trailerCount,
                digest.value(),
                trailerDigest);
    }
}
