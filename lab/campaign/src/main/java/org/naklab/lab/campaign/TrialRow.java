package org.naklab.lab.campaign;

import org.jspecify.annotations.Nullable;

/**
 * A finished trial as the history keeps it.
 *
 * @param attempts number of runs that it took, from 1
 * @param leftOut faults that the swarm left out, separated by blanks; {@code null}: no swarm
 * @param host where it ran
 * @param finishedUtc ISO 8601 in UTC with milliseconds
 */
public record TrialRow(
        Cell cell,
        long seed,
        SeedResult result,
        int attempts,
        @Nullable String leftOut,
        String host,
        String finishedUtc) {
    /** Tells what identifies a trial in its campaign. */
    public record Key(Cell cell, long seed) {}

    /** Returns what identifies this trial in its campaign. */
    public Key key() {
        return new Key(cell, seed);
    }
}
