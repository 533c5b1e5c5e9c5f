package org.naklab.lab.report.live;

import java.util.List;

/**
 * A strip chart: lines over one time, with one unit.
 *
 * @param id for programs
 * @param what it shows, in plain words
 */
record Strip(String id, String title, String unit, String what, List<StripLine> lines) {
    Strip {
        lines = List.copyOf(lines);
    }
}
