package org.naklab.journaler;

import java.nio.file.Path;
import org.naklab.messaging.feed.FeedDigest;

/** Checks a journal against the feed's rules, its own checksums, and its trailer. */
public final class JournalVerifier {
    private final SequenceAudit audit = new SequenceAudit();
    private final FeedDigest digest = new FeedDigest();
    private long unreadable;
    private long afterTrailer;
    private long timestampsFallen;
    private long lastTimestampNs = Long.MIN_VALUE;
    private boolean trailerSeen;
    private long trailerCount;
    private long trailerDigest;

    private JournalVerifier() {}

    /** As {@link #verify(Path, long)}, whatever feed it is of. */
    public static Verification verify(Path directory) {
        return verify(directory, 0);
    }

    /**
     * Reads a journal from end to end; it may be one whose writer was killed. Nothing in its directory changes.
     *
     * @param expectedFeedId the feed that it should hold; 0 when any will do
     * @throws JournalException when the directory is missing or no journal, or a file is cut short or corrupt
     */
    public static Verification verify(Path directory, long expectedFeedId) {
        JournalVerifier verifier = new JournalVerifier();
        JournalEntry entry = new JournalEntry();
        try (EntryReader reader = new EntryReader(directory)) {
            while (reader.next(entry)) {
                verifier.accept(entry);
            }
            return verifier.verification(reader, expectedFeedId);
        } catch (InternalError e) {
            // A page that could not be read: it may be told a few steps later than where it was touched.
            throw MappedWindow.unreadable(directory, e);
        }
    }

    private void accept(JournalEntry entry) {
        if (trailerSeen) {
            afterTrailer++;
            return;
        }
        if (!entry.kind().isJournaled()) {
            unreadable++;
            return;
        }
        acceptTimestamp(entry.receiveTimestampNs());
        if (entry.isTrailer()) {
            trailerSeen = true;
            trailerCount = entry.sequence();
            trailerDigest = entry.trailerDigest();
        } else {
            acceptEvent(entry);
        }
    }

    private void acceptTimestamp(long receiveTimestampNs) {
        if (receiveTimestampNs < lastTimestampNs) {
            timestampsFallen++;
        }
        lastTimestampNs = receiveTimestampNs;
    }

    private void acceptEvent(JournalEntry entry) {
        if (entry.sequence() < 1) {
            unreadable++;
            return;
        }
        audit.accept(entry.sequence());
        digest.update(entry.message(), 0, entry.length());
    }

    private Verification verification(EntryReader reader, long expectedFeedId) {
        long lastSequence = audit.highestSequence();
        audit.expectUpTo(trailerCount);
        return new Verification(
                reader.directory(),
                digest.events(),
                audit.firstSequence(),
                lastSequence,
                audit.gaps(),
                audit.missing(),
                audit.duplicates(),
                audit.reordered(),
                unreadable,
                afterTrailer,
                reader.isEntryBegun(),
                trailerSeen,
                trailerCount,
                digest.value(),
                trailerDigest,
                reader.formatVersion(),
                reader.feedId(),
                expectedFeedId,
                reader.damaged(),
                timestampsFallen,
                DirectoryAudit.findings(reader));
    }
}
