package org.naklab.lab.report.flame;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Units;

/** Adds up stacks that begin with the same callers: the width of a function is the time in which it, or what it called, waited. */
public final class FlameGraph {
    private static final int ROW_PX = 18;
    /** Narrower functions could not be seen, percent. */
    private static final double LEAST_WIDTH = 0.2;

    private static final double PERCENT = 100;

    private final Node root = new Node();

    /**
     * A stack and how long the thread waited on it.
     *
     * @param frames functions, the outermost first
     * @param ns time
     */
    public record Stack(List<String> frames, long ns) {
        public Stack {
            frames = List.copyOf(frames);
        }
    }

    private static final class Node {
        private final Map<String, Node> callees = new TreeMap<>();
        private long ns;

        /** Returns how many functions call each other from here on. */
        private int depth() {
            return callees.values().stream()
                    .mapToInt(callee -> callee.depth() + 1)
                    .max()
                    .orElse(0);
        }
    }

    private FlameGraph(List<Stack> stacks) {
        for (Stack stack : stacks) {
            Node node = root;
            node.ns += stack.ns();
            for (String frame : stack.frames()) {
                node = node.callees.computeIfAbsent(frame, key -> new Node());
                node.ns += stack.ns();
            }
        }
    }

    /** Returns the values of the template: the rectangles with their texts, and the height. */
    public static Map<String, Object> values(List<Stack> stacks) {
        FlameGraph graph = new FlameGraph(stacks);
        int rows = graph.root.depth();
        List<Map<String, Object>> frames = new ArrayList<>();
        if (graph.root.ns > 0 && rows > 0) {
            graph.add(graph.root, 0, 0, rows, frames);
        }
        return Map.of("hasFlame", !frames.isEmpty(), "flame", frames, "flameHeight", rows * ROW_PX);
    }

    /** The outermost functions stand at the bottom. */
    private void add(Node caller, double fromPercent, int depth, int rows, List<Map<String, Object>> frames) {
        double x = fromPercent;
        for (Map.Entry<String, Node> callee : caller.callees.entrySet()) {
            double width = PERCENT * callee.getValue().ns / root.ns;
            if (width >= LEAST_WIDTH) {
                frames.add(Map.of(
                        "x",
                        decimal(x),
                        "width",
                        decimal(width),
                        "y",
                        (rows - depth - 1) * ROW_PX,
                        "name",
                        callee.getKey(),
                        "title",
                        String.format(
                                Locale.ROOT,
                                "%s: %.1f ms, %.1f %%",
                                callee.getKey(),
                                callee.getValue().ns / Units.NS_PER_MS,
                                width)));
                add(callee.getValue(), x, depth + 1, rows, frames);
            }
            x += width;
        }
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
