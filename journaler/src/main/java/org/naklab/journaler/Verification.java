package org.naklab.journaler;

import java.nio.file.Path;
import java.util.List;

/**
 * Tells what a journal holds and what is wrong with it.
 *
 * @param events sequenced messages, duplicates among them
 * @param firstSequence sequence of the first event; 0 without events
 * @param lastSequence highest sequence; 0 without events
 * @param gaps ranges of sequences that are missing
 * @param missing sequences that are missing, up to the trailer's count or else the highest seen
 * @param duplicates events whose sequence was there before
 * @param reordered events that stand after one with a higher sequence
 * @param unreadable records that are neither an event nor a trailer
 * @param afterTrailer records that follow the trailer
 * @param entryBegun whether the journal ends in an entry that was begun and not finished
 * @param trailerSeen whether the feed's trailer is there
 * @param trailerCount events that the trailer counts; 0 without one
 * @param digest CRC-32C over the events as they lie in the journal, 0 to 2^32 - 1
 * @param trailerDigest the digest that the trailer gives; 0 without one
 * @param formatVersion 1: receive timestamps are in no checksum; 2: each record's checksum covers all of it; 0 without records
 * @param feedId the feed that the journal names; 0 when it names none
 * @param expectedFeedId the feed that it should hold; 0 when any will do
 * @param damaged records whose checksum does not fit them and the record before them
 * @param timestampsFallen records whose receive timestamp is lower than that of the record before them
 * @param unaccounted a sentence for each file, or content of one, that is no part of the journal's records
 */
public record Verification(
        Path journal,
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
        int formatVersion,
        long feedId,
        long expectedFeedId,
        long damaged,
        long timestampsFallen,
        List<String> unaccounted) {
    public Verification {
        unaccounted = List.copyOf(unaccounted);
    }

    /** Returns whether the journal is whole: all that the trailer counts, which is not nothing, is there once, in order, unchanged. */
    public boolean passed() {
        return isWhole() && events > 0;
    }

    /** Returns whether all is in order, but there is nothing that could have been out of order: no event, and the trailer counts none. */
    public boolean isEmpty() {
        return isWhole() && events == 0;
    }

    /** Returns whether nothing is wrong with what is there; without a trailer more can have been meant to follow. */
    public boolean isIntact() {
        return missing == 0
                && duplicates == 0
                && reordered == 0
                && unreadable == 0
                && afterTrailer == 0
                && damaged == 0
                && (timestampsFallen == 0 || !coversTimestamps())
                && !entryBegun
                && unaccounted.isEmpty()
                && isExpectedFeed()
                && (!trailerSeen || digest == trailerDigest);
    }

    /** Returns whether a changed receive timestamp would have been noticed. */
    boolean coversTimestamps() {
        return formatVersion != 1;
    }

    boolean isExpectedFeed() {
        return expectedFeedId == 0 || feedId == expectedFeedId;
    }

    /** The finding in lines for people; the last one is the verdict. */
    public List<String> summary() {
        return VerificationText.lines(this);
    }

    /** The verdict in words. */
    public String verdict() {
        if (passed()) {
            return "every event is there once, in order, unchanged";
        }
        if (isEmpty()) {
            return "the journal is empty, and the trailer counts no event: nothing was there to verify";
        }
        return isIntact()
                ? "what is there is sound, but whether it is all cannot be told"
                : "the journal is not what the feed sent";
    }

    private boolean isWhole() {
        return isIntact() && trailerSeen && events == trailerCount;
    }
}
