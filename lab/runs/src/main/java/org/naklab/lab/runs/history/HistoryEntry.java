package org.naklab.lab.runs.history;

import java.util.List;
import org.naklab.lab.runs.history.detail.RunDetails;

/**
 * A run with its stalls, in the order in which they began.
 *
 * @param details what is kept for queries
 */
public record HistoryEntry(RunRow run, List<StallRow> stalls, RunDetails details) {
    public HistoryEntry {
        stalls = List.copyOf(stalls);
    }

    /** Creates an entry of a run of which nothing else is known. */
    public HistoryEntry(RunRow run, List<StallRow> stalls) {
        this(run, stalls, RunDetails.NONE);
    }

    /** Returns this entry with other details. */
    HistoryEntry with(RunDetails known) {
        return new HistoryEntry(run, stalls, known);
    }
}
