package org.naklab.lab.runs.history;

import java.util.List;

/** A run with its stalls, in the order in which they began. */
public record HistoryEntry(RunRow run, List<StallRow> stalls) {
    public HistoryEntry {
        stalls = List.copyOf(stalls);
    }
}
