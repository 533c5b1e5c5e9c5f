package org.naklab.lab.report.trace;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.core.trace.CpuActivity.Kind;

/** The rectangles of a strip that shows what had a CPU in an interval: threads, interrupts and soft interrupts below each other. */
final class CpuStrip {
    private static final int WIDTH = 10_000;
    /** Narrower sections could not be seen. */
    private static final int LEAST_WIDTH = 8;

    private static final int MAX_RECTANGLES = 2_000;
    private static final int LANE_HEIGHT = 16;
    private static final int LANE_PITCH = 18;

    private CpuStrip() {}

    /**
     * Returns the rectangles.
     *
     * @param comm name of the thread that has a colour of its own
     * @param length writes the length of a section, ns
     */
    static List<Map<String, Object>> rectangles(
            CpuActivity activity, Interval shown, String comm, LongFunction<String> length) {
        List<Map<String, Object>> rectangles = new ArrayList<>();
        Map<Kind, Long> drawnTo = new EnumMap<>(Kind.class);
        for (CpuActivity.Section section : activity.sections()) {
            if (section.name().equals("idle")) {
                continue;
            }
            long x = place(section.interval().beginNs(), shown);
            long width = Math.max(LEAST_WIDTH, place(section.interval().endNs(), shown) - x);
            // Of many short ones that would cover each other, one is drawn.
            if (x + width <= drawnTo.getOrDefault(section.kind(), 0L) || rectangles.size() >= MAX_RECTANGLES) {
                continue;
            }
            drawnTo.put(section.kind(), x + width);
            rectangles.add(Map.of(
                    "x",
                    x,
                    "y",
                    laneOf(section.kind()) * LANE_PITCH,
                    "width",
                    width,
                    "height",
                    LANE_HEIGHT,
                    "class",
                    styleOf(section, comm),
                    "title",
                    section.name() + ", " + length.apply(section.interval().lengthNs())));
        }
        return rectangles;
    }

    private static int laneOf(Kind kind) {
        return switch (kind) {
            case THREAD -> 0;
            case INTERRUPT -> 1;
            case SOFT_INTERRUPT -> 2;
        };
    }

    private static String styleOf(CpuActivity.Section section, String comm) {
        return switch (section.kind()) {
            case THREAD -> section.name().equals(comm) ? "own" : "other";
            case INTERRUPT -> "irq";
            case SOFT_INTERRUPT -> "soft";
        };
    }

    private static long place(long timeNs, Interval shown) {
        return (timeNs - shown.beginNs()) * WIDTH / Math.max(1, shown.lengthNs());
    }
}
