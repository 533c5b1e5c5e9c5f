package org.naklab.journaler;

import java.nio.file.Path;

/**
 * The invariant of a journal, checked when it is written and again when it is read: sequences rise, and the trailer is
 * last. A gap is no breach: what the feed lost for good was not received, and the record says so.
 */
final class FeedOrder {
    private final Path journal;
    private long lastSequence;
    private long missing;
    private boolean ended;

    FeedOrder(Path journal) {
        this.journal = journal;
    }

    /**
     * Takes in an event.
     *
     * @throws JournalException when its sequence does not rise, or after the trailer
     */
    void event(long sequence) {
        if (sequence <= lastSequence || ended) {
            throw breach(
                    ended
                            ? "event " + sequence + " follows the trailer"
                            : "event " + sequence + " follows event " + lastSequence + ": sequences must rise");
        }
        missing += sequence - lastSequence - 1;
        lastSequence = sequence;
    }

    /**
     * Takes in the trailer.
     *
     * @param trailerSequence the last sequence that the feed used
     * @throws JournalException when events beyond it were taken in, or when it is the second
     */
    void trailer(long trailerSequence) {
        if (ended) {
            throw breach("a second trailer follows the first");
        }
        if (trailerSequence < lastSequence) {
            throw breach(
                    "the trailer counts " + trailerSequence + " events, but event " + lastSequence + " came before it");
        }
        missing += trailerSequence - lastSequence;
        ended = true;
    }

    /** The sequence of the last event; 0 before the first. */
    long lastSequence() {
        return lastSequence;
    }

    /** Sequences that were left out so far. */
    long missing() {
        return missing;
    }

    /** Returns whether the trailer was seen. */
    boolean ended() {
        return ended;
    }

    private JournalException breach(String what) {
        return new JournalException("journal " + journal + ": " + what);
    }
}
