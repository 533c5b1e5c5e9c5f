package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the journal and its errors. A count that is {@code null} is unknown.
 *
 * @param journal its directory, as a URI
 */
public record JournalRecord(
        @Nullable String journal,
        @JsonUnwrapped Content content,
        @JsonUnwrapped Errors errors,
        @JsonUnwrapped Trailer trailer,
        @JsonUnwrapped Identity identity,
        @JsonUnwrapped Damage damage,
        @JsonUnwrapped State state) {
    /**
     * Counts the events and their range.
     *
     * @param events sequenced messages, duplicates among them
     */
    public record Content(long events, long firstSequence, long lastSequence) {}

    /**
     * Counts what is not in order.
     *
     * @param gaps ranges of sequences that are missing
     * @param unreadable records that are neither an event nor a trailer
     * @param afterTrailer records that follow the trailer
     * @param entryBegun whether the journal ends in an entry that was begun and not finished
     */
    public record Errors(
            long gaps,
            long missing,
            long duplicates,
            long reordered,
            long unreadable,
            long afterTrailer,
            boolean entryBegun) {}

    /**
     * Compares the events with the trailer.
     *
     * @param digest CRC-32C over the events as they lie in the journal
     */
    public record Trailer(boolean trailerSeen, long trailerCount, long digest, long trailerDigest) {}

    /**
     * Tells the format and the feed.
     *
     * @param feedId the feed that the journal names; 0 when it names none
     * @param expectedFeedId the feed that it should hold; 0 when any will do
     */
    public record Identity(
            @Nullable Integer formatVersion,
            @Nullable Long feedId,
            @Nullable Long expectedFeedId) {}

    /**
     * Contains what was changed afterwards.
     *
     * @param damaged records whose checksum does not fit them and the record before them
     * @param timestampsFallen records whose receive timestamp is lower than that of the record before them
     * @param unaccounted a sentence for each file that is no part of the journal's records
     */
    public record Damage(@Nullable Long damaged, @Nullable Long timestampsFallen, List<String> unaccounted) {
        public Damage {
            unaccounted = Absent.orNone(unaccounted);
        }
    }

    /**
     * Sums it up.
     *
     * @param empty whether all is in order, and there is no event
     * @param intact whether nothing is wrong with what is there
     */
    public record State(@Nullable Boolean empty, boolean intact) {}
}
