package org.naklab.subscriber.feed;

import org.agrona.collections.LongArrayList;

/**
 * Checks feed sequences on receipt. It knows every sequence that was skipped, so that one that comes late is told from one that
 * comes twice, and the counts are exact. Not thread-safe; allocates only when a gap opens.
 */
public final class SequenceTracker {
    public enum Verdict {
        /** Higher than all before, with or without a gap. */
        NEXT,
        /** Filled a gap after higher ones had come. */
        REORDERED,
        /** Came before. */
        DUPLICATE
    }

    /** First and last sequence of each gap in turn, ascending. */
    private final LongArrayList gaps = new LongArrayList();

    private long highest;
    private long missing;
    private long duplicated;
    private long reordered;

    /**
     * Takes in the sequence of one event.
     *
     * @throws FeedException when it is below 1
     */
    public Verdict onEvent(long sequence) {
        if (sequence == highest + 1) {
            highest = sequence;
            return Verdict.NEXT;
        }
        if (sequence <= 0) {
            throw new FeedException("an event with sequence " + sequence + ": sequences begin at 1");
        }
        if (sequence > highest) {
            skipTo(sequence - 1);
            highest = sequence;
            return Verdict.NEXT;
        }
        if (fill(sequence)) {
            reordered++;
            missing--;
            return Verdict.REORDERED;
        }
        duplicated++;
        return Verdict.DUPLICATE;
    }

    /** Takes in the last sequence used, as heartbeats and the trailer carry it; reveals what is missing at the end. */
    public void onLastSequence(long lastSequence) {
        if (lastSequence > highest) {
            skipTo(lastSequence);
        }
    }

    /** The highest sequence known to have been used. */
    public long highest() {
        return highest;
    }

    /** Distinct events that came. */
    public long received() {
        return highest - missing;
    }

    /** Sequences up to the highest that have not come. */
    public long missing() {
        return missing;
    }

    /** Events that came again. */
    public long duplicated() {
        return duplicated;
    }

    /** Events that came after one with a higher sequence. */
    public long reordered() {
        return reordered;
    }

    private void skipTo(long last) {
        gaps.addLong(highest + 1);
        gaps.addLong(last);
        missing += last - highest;
        highest = last;
    }

    private boolean fill(long sequence) {
        int low = 0;
        int high = gaps.size() / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sequence < gaps.getLong(2 * middle)) {
                high = middle - 1;
            } else if (sequence > gaps.getLong(2 * middle + 1)) {
                low = middle + 1;
            } else {
                fillIn(2 * middle, sequence);
                return true;
            }
        }
        return false;
    }

    private void fillIn(int at, long sequence) {
        long first = gaps.getLong(at);
        long last = gaps.getLong(at + 1);
        if (first == last) {
            gaps.removeAt(at + 1);
            gaps.removeAt(at);
        } else if (sequence == first) {
            gaps.setLong(at, sequence + 1);
        } else if (sequence == last) {
            gaps.setLong(at + 1, sequence - 1);
        } else {
            gaps.setLong(at + 1, sequence - 1);
            gaps.addLong(at + 2, sequence + 1);
            gaps.addLong(at + 3, last);
        }
    }
}
