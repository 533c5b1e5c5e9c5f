package org.naklab.lab.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the journal and its errors. A count that is {@code null} is unknown.
 *
 * @param journal its directory, as a URI
 * @param events sequenced messages, duplicates among them
 * @param gaps ranges of sequences that are missing
 * @param unreadable records that are neither an event nor a trailer
 * @param afterTrailer records that follow the trailer
 * @param entryBegun whether the journal ends in an entry that was begun and not finished
 * @param digest CRC-32C over the events as they lie in the journal
 * @param feedId the feed that the journal names; 0 when it names none
 * @param expectedFeedId the feed that it should hold; 0 when any will do
 * @param damaged records whose checksum does not fit them and the record before them
 * @param timestampsFallen records whose receive timestamp is lower than that of the record before them
 * @param unaccounted a sentence for each file that is no part of the journal's records
 * @param empty whether all is in order, and there is no event
 * @param intact whether nothing is wrong with what is there
 */
public record JournalRecord(
        @Nullable String journal,
        long events,
        long firstSequence,
        long lastSequence,
        long gaps,
        long missing,
        long duplicates,
        long reordered,
        long unreadable,
        long afterTrailer,
        boolean entryBegun,
        boolean trailerSeen,
        long trailerCount,
        long digest,
        long trailerDigest,
        @Nullable Integer formatVersion,
        @Nullable Long feedId,
        @Nullable Long expectedFeedId,
        @Nullable Long damaged,
        @Nullable Long timestampsFallen,
        List<String> unaccounted,
        @Nullable Boolean empty,
        boolean intact) {
    public JournalRecord {
        unaccounted = Absent.orNone(unaccounted);
    }
}
