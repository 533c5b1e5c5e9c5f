package org.naklab.lab.report.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.runs.page.Page;

/** The safepoints of a JVM as the rows of a table, for any page. */
public final class SafepointView {
    private static final long LONG_NS = 10_000_000;

    /** Of the drawing, in its own units. */
    private static final int BAR_WIDTH = 5;

    private static final int HEIGHT = 16;
    private static final int PHASE_MS = 1_000 / SafepointTable.PHASES;

    private SafepointView() {}

    /**
     * Returns the table as HTML.
     *
     * @param none what stands in place of an empty table
     */
    public static String html(List<SafepointTable.Row> rows, String none) {
        return Page.part(
                SafepointView.class,
                "safepoints.html",
                Map.of(
                        "hasSafepoints",
                        !rows.isEmpty(),
                        "safepoints",
                        rows.stream().map(SafepointView::row).toList(),
                        "none",
                        none));
    }

    private static Map<String, Object> row(SafepointTable.Row row) {
        return Map.of(
                "operation", row.label(),
                "count", Format.count(row.count()),
                "total", length(row.totalNs()),
                "longest", length(row.longestNs()),
                "toSafepoint", length(row.toSafepointNs()),
                "longestToSafepoint", length(row.longestToSafepointNs()),
                "phase", phase(row.phase()),
                "phaseText", phaseText(row.phase()));
    }

    private static List<Map<String, Object>> phase(List<Long> phase) {
        long most = phase.stream().mapToLong(Long::longValue).max().orElse(1);
        List<Map<String, Object>> bars = new ArrayList<>();
        for (int i = 0; i < phase.size(); i++) {
            if (phase.get(i) > 0) {
                long height = Math.max(2, HEIGHT * phase.get(i) / most);
                bars.add(Map.of("x", i * BAR_WIDTH, "y", HEIGHT - height, "height", height));
            }
        }
        return bars;
    }

    /** Says the fullest part of the second. */
    private static String phaseText(List<Long> phase) {
        int fullest = 0;
        for (int i = 1; i < phase.size(); i++) {
            fullest = phase.get(i) > phase.get(fullest) ? i : fullest;
        }
        return phase.get(fullest) + " of "
                + phase.stream().mapToLong(Long::longValue).sum() + " began " + fullest * PHASE_MS + " to "
                + (fullest + 1) * PHASE_MS + " ms after a second boundary";
    }

    private static String length(long ns) {
        return ns >= LONG_NS
                ? String.format(Locale.ROOT, "%,.1f ms", ns / Units.NS_PER_MS)
                : String.format(Locale.ROOT, "%,.0f us", ns / Units.NS_PER_US);
    }
}
