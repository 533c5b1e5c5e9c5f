package org.naklab.lab.runs.calendar;

import java.util.List;
import org.naklab.lab.runs.history.RunMark;
import org.naklab.lab.runs.history.RunRow;

/** The runs of one scenario and remedy on one day, in the order in which they began. */
public record CalendarCell(List<RunRow> runs) {
    public CalendarCell {
        runs = List.copyOf(runs);
    }

    /** Returns the number of runs with a mark. */
    public long count(RunMark mark) {
        return runs.stream().filter(run -> run.mark() == mark).count();
    }
}
