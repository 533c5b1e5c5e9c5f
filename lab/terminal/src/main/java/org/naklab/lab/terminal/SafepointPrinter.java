package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.terminal.Table.Align;

/** Prints the safepoints of a JVM by operation. */
public final class SafepointPrinter {
    /** A mark stands for a tenth of a second: two phases. */
    private static final int PHASES_PER_MARK = 2;

    private static final String MARKS = " ▁▂▃▄▅▆▇█";

    private SafepointPrinter() {}

    /**
     * Prints a table.
     *
     * @param when a clause for a JVM that made none, such as "while it was measured"
     */
    public static void print(Terminal terminal, PrintStream out, List<SafepointTable.Row> rows, String when) {
        if (rows.isEmpty()) {
            out.println("no safepoint " + when);
            return;
        }
        out.println("safepoints (lengths in us; in the second: where they began, 0 to 1 s):");
        Table table =
                new Table(terminal, out, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("operation", "count", "total ms", "longest", "to it", "in the second");
        rows.forEach(row -> table.row(
                row.label(),
                Format.count(row.count()),
                String.format(Locale.ROOT, "%,.2f", row.totalNs() / Units.NS_PER_MS),
                us(row.longestNs()),
                us(row.longestToSafepointNs()),
                "[" + phase(row.phase()) + "]"));
        table.print();
    }

    private static String us(long ns) {
        return String.format(Locale.ROOT, "%,.0f", ns / Units.NS_PER_US);
    }

    /** Returns one mark for each tenth of a second; a blank is a tenth in which none began. */
    static String phase(List<Long> phase) {
        int marks = phase.size() / PHASES_PER_MARK;
        List<Long> tenths = IntStream.range(0, marks)
                .mapToObj(mark -> phase.subList(mark * PHASES_PER_MARK, (mark + 1) * PHASES_PER_MARK).stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .toList();
        return bars(tenths);
    }

    /** Returns a mark for each count, as high as its share of the largest one; a blank for none. */
    public static String bars(List<Long> counts) {
        long most = Math.max(1, Collections.max(counts, Long::compare));
        StringBuilder bars = new StringBuilder();
        counts.forEach(count -> bars.append(MARKS.charAt((int) Math.ceil(8.0 * count / most))));
        return bars.toString();
    }
}
