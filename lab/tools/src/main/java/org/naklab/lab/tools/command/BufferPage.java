package org.naklab.lab.tools.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.terminal.runs.MeasuredLine;
import org.naklab.lab.tools.buffers.BufferPoint;

/** The receive buffers that stalls need, as one HTML page, and the chart of it alone. */
final class BufferPage {
    private static final double LEFT = 80;
    private static final double RIGHT = 760;
    private static final double TOP = 25;
    private static final double BOTTOM = 300;
    private static final int GRID_LINES = 4;
    private static final long KIB = 1 << 10;

    private final int datagramBytes;
    private final long bytesPerDatagram;
    private final int largestBytes;
    private final List<BufferPoint> points;
    private final double mostNs;
    private final double mostBytes;

    /**
     * Creates a page.
     *
     * @param datagramBytes payload of a datagram
     * @param bytesPerDatagram that the kernel counts for it
     * @param largestBytes the largest buffer that the kernel grants
     */
    BufferPage(int datagramBytes, long bytesPerDatagram, int largestBytes, List<BufferPoint> points) {
        this.datagramBytes = datagramBytes;
        this.bytesPerDatagram = bytesPerDatagram;
        this.largestBytes = largestBytes;
        this.points = List.copyOf(points);
        mostNs = points.stream().mapToDouble(BufferPoint::stallNs).max().orElse(1) * 1.05;
        mostBytes = points.stream()
                        .mapToDouble(point -> Math.max(point.arithmeticBytes(), point.measuredBytes()))
                        .max()
                        .orElse(1)
                * 1.05;
    }

    /**
     * Writes the page.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    void writePage(Path file) {
        Page.write(file, Page.render(BufferPage.class, "buffers.html", values()));
    }

    /**
     * Writes the chart as an SVG file.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    void writeChart(Path file) {
        Page.write(file, Page.render(BufferPage.class, "buffers.svg", values()));
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        values.put("measured", MeasuredLine.now());
        values.put("datagramBytes", Format.count(datagramBytes));
        values.put("bytesPerDatagram", Format.count(bytesPerDatagram));
        values.put("largest", Format.bytes(largestBytes));
        values.put("points", points.stream().map(BufferPage::row).toList());
        values.put("lines", lines());
        values.put("dots", dots());
        values.put("rows", gridRows());
        values.put("columns", columns());
        values.put("limit", limit());
        values.put("left", pixels(LEFT));
        values.put("right", pixels(RIGHT));
        values.put("top", pixels(TOP));
        values.put("bottom", pixels(BOTTOM));
        return values;
    }

    private static Map<String, String> row(BufferPoint point) {
        boolean isFound = point.measuredBytes() > 0;
        return Map.of(
                "rate", Format.count(point.eventsPerSecond()),
                "stall", Format.milliseconds(point.stallNs() / Units.NS_PER_MS),
                "datagrams", Format.count(point.datagrams()),
                "arithmetic", Format.count(point.arithmeticBytes()),
                "measured", isFound ? Format.count(point.measuredBytes()) : "more than the kernel grants",
                "ratio",
                        isFound
                                ? String.format(Locale.ROOT, "%.3f", point.ratio())
                                : Format.count(point.lostInLargest()) + " lost");
    }

    /** One line for each rate: the arithmetic, from no stall to the longest. */
    private List<Map<String, String>> lines() {
        List<Map<String, String>> lines = new ArrayList<>();
        for (long rate :
                points.stream().map(BufferPoint::eventsPerSecond).collect(Collectors.toCollection(TreeSet::new))) {
            double bytesAtEnd = rate * (mostNs / Units.NS_PER_S) * bytesPerDatagram;
            double share = Math.min(1, mostBytes / bytesAtEnd);
            double x = x(mostNs * share);
            double y = y(bytesAtEnd * share);
            boolean isLeaving = share < 1;
            lines.add(Map.of(
                    "x", pixels(x),
                    "y", pixels(y),
                    "labelX", pixels(x - 6),
                    "labelY", pixels(isLeaving ? y + 12 : y - 6),
                    "label", Format.count(rate) + "/s"));
        }
        return lines;
    }

    private List<Map<String, String>> dots() {
        return points.stream()
                .filter(point -> point.measuredBytes() > 0)
                .map(point -> Map.of(
                        "x", pixels(x((double) point.stallNs())),
                        "y", pixels(y((double) point.measuredBytes())),
                        "title",
                                Format.count(point.eventsPerSecond()) + "/s, "
                                        + Format.milliseconds(point.stallNs() / Units.NS_PER_MS) + ": "
                                        + Format.bytes(point.measuredBytes())))
                .toList();
    }

    /** Returns lines at multiples of a power of two, so that their labels are whole; the unit is in the title of the axis. */
    private List<Map<String, String>> gridRows() {
        long step = Math.max(KIB, Long.highestOneBit(Math.round(mostBytes / GRID_LINES)));
        List<Map<String, String>> rows = new ArrayList<>();
        for (long bytes = 0; bytes <= mostBytes; bytes += step) {
            double y = y((double) bytes);
            rows.add(Map.of("y", pixels(y), "textY", pixels(y + 4), "label", Format.count(bytes / KIB)));
        }
        return rows;
    }

    private List<Map<String, String>> columns() {
        return points.stream().map(BufferPoint::stallNs).collect(Collectors.toCollection(TreeSet::new)).stream()
                .map(stallNs -> Map.of(
                        "x", pixels(x((double) stallNs)),
                        "label", String.format(Locale.ROOT, "%,.1f", stallNs / Units.NS_PER_MS)))
                .toList();
    }

    private List<Map<String, String>> limit() {
        return largestBytes > mostBytes ? List.of() : List.of(Map.of("y", pixels(y((double) largestBytes))));
    }

    private double x(double ns) {
        return LEFT + (RIGHT - LEFT) * ns / mostNs;
    }

    private double y(double bytes) {
        return BOTTOM - (BOTTOM - TOP) * bytes / mostBytes;
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
