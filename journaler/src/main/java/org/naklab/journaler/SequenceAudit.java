package org.naklab.journaler;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counts exactly what is wrong with a series of sequences that should be 1, 2, 3 and so on. An event that comes late is
 * reordered, one that comes again a duplicate. Memory grows with the number of gaps, not of events.
 */
final class SequenceAudit {
    /** First to last sequence of each range that has not come. */
    private final TreeMap<Long, Long> missingRanges = new TreeMap<>();

    private long firstSequence;
    private long highestSequence;
    private long missing;
    private long duplicates;
    private long reordered;

    /** Takes in the next sequence, from 1. */
    void accept(long sequence) {
        if (firstSequence == 0) {
            firstSequence = sequence;
        }
        if (sequence > highestSequence) {
            expectUpTo(sequence - 1);
            highestSequence = sequence;
        } else if (!fill(sequence)) {
            duplicates++;
        }
    }

    /** All up to this sequence should have come; takes down those beyond the highest as missing. */
    void expectUpTo(long lastSequence) {
        if (lastSequence > highestSequence) {
            missingRanges.put(highestSequence + 1, lastSequence);
            missing += lastSequence - highestSequence;
            highestSequence = lastSequence;
        }
    }

    /** The sequence that came first; 0 when none came. */
    long firstSequence() {
        return firstSequence;
    }

    long highestSequence() {
        return highestSequence;
    }

    /** Ranges of sequences that never came. */
    long gaps() {
        return missingRanges.size();
    }

    /** Sequences that never came. */
    long missing() {
        return missing;
    }

    /** Events whose sequence had come before. */
    long duplicates() {
        return duplicates;
    }

    /** Events that came after one with a higher sequence. */
    long reordered() {
        return reordered;
    }

    private boolean fill(long sequence) {
        Map.Entry<Long, Long> range = missingRanges.floorEntry(sequence);
        if (range == null || range.getValue() < sequence) {
            return false;
        }
        missingRanges.remove(range.getKey());
        if (range.getKey() < sequence) {
            missingRanges.put(range.getKey(), sequence - 1);
        }
        if (sequence < range.getValue()) {
            missingRanges.put(sequence + 1, range.getValue());
        }
        missing--;
        reordered++;
        return true;
    }
}
