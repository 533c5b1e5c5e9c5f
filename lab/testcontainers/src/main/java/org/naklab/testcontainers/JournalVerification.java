package org.naklab.testcontainers;

/**
 * Tells what a journal holds, and whether that is everything, as {@code naklab journal verify} finds.
 *
 * @param passed whether all that the end of the feed counts, which is not nothing, is there once, in order, unchanged
 * @param events in the journal, duplicates among them
 * @param missing sequences
 * @param duplicates events that were there before
 * @param reordered events that stand after a later one
 * @param damaged records whose checksum does not fit
 */
public record JournalVerification(
        boolean passed, long events, long missing, long duplicates, long reordered, long damaged) {
    /** The findings as the command writes them. */
    record Written(long events, long missing, long duplicates, long reordered, long damaged) {
        JournalVerification verification(boolean passed) {
            return new JournalVerification(passed, events, missing, duplicates, reordered, damaged);
        }
    }
}
