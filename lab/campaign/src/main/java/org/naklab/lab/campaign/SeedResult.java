package org.naklab.lab.campaign;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.scenarios.Verdict;

/**
 * Tells what one run came to.
 *
 * @param claim the first condition that does not hold; {@code null}: all hold
 * @param cause the diagnosed cause
 * @param replay one line that runs it again
 * @param elapsedMs how long the run took, ms
 * @param longestStallMs 0: there was none
 * @param receivers what each had to recover; empty: not known
 * @param runDirectory where its evidence is; {@code null}: it was not kept, or nothing was run
 */
public record SeedResult(
        Verdict verdict,
        @Nullable String claim,
        String cause,
        String replay,
        long elapsedMs,
        double longestStallMs,
        long naks,
        long datagramsDropped,
        List<RunRow.Receiver> receivers,
        @Nullable String runDirectory) {
    public SeedResult {
        receivers = List.copyOf(receivers);
    }

    /** Returns the result of a run that left no record. */
    static SeedResult unknown(String claim, String replay, long elapsedMs, @Nullable String runDirectory) {
        return new SeedResult(Verdict.UNKNOWN, claim, "unknown", replay, elapsedMs, 0, 0, 0, List.of(), runDirectory);
    }
}
