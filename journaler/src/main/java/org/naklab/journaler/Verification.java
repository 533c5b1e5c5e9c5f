package org.naklab.journaler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a journal holds and what is wrong with it.
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
        long trailerDigest) {

    /** Whether the journal is whole: all that the trailer counts is there once, in order, unchanged. */
    public boolean passed() {
        return isIntact() && trailerSeen && events == trailerCount && digest == trailerDigest;
    }

    /** Whether nothing is wrong with what is there; without a trailer more can have been meant to follow. */
    public boolean isIntact() {
        return missing == 0
                && duplicates == 0
                && reordered == 0
                && unreadable == 0
                && afterTrailer == 0
                && !entryBegun
                && (!trailerSeen || digest == trailerDigest);
    }

    /** The finding in lines for people; the last one is the verdict. */
    public List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("journal      " + journal);
        lines.add(
                "events       " + events + (events == 0 ? "" : ", sequences " + firstSequence + " to " + lastSequence));
        lines.add("missing      " + missing + " in " + gaps + (gaps == 1 ? " gap" : " gaps"));
        lines.add("duplicates   " + duplicates);
        lines.add("reordered    " + reordered);
        if (unreadable > 0) {
            lines.add("unreadable   " + unreadable + " records are neither an event nor a trailer");
        }
        if (afterTrailer > 0) {
            lines.add("after end    " + afterTrailer + " records follow the trailer");
        }
        if (entryBegun) {
            lines.add("last entry   begun and not finished: the writer died at it");
        }
        lines.add("trailer      "
                + (trailerSeen
                        ? "counts " + trailerCount + " events"
                        : "missing: the journal did not see the feed's end"));
        lines.add("digest       " + hex(digest) + (trailerSeen ? digestVerdict() : ", nothing to compare it with"));
        lines.add(verdict());
        return lines;
    }

    private String digestVerdict() {
        return digest == trailerDigest ? " equals the trailer's" : " differs from the trailer's " + hex(trailerDigest);
    }

    private String verdict() {
        if (passed()) {
            return "PASS         every event is there once, in order, unchanged";
        }
        return isIntact()
                ? "FAIL         what is there is sound, but whether it is all cannot be told"
                : "FAIL         the journal is not what the feed sent";
    }

    private static String hex(long digest) {
        return String.format("%08x", digest);
    }
}
