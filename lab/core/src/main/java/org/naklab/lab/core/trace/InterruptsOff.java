package org.naklab.lab.core.trace;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.timeline.Interval;

/**
 * The longest time of a CPU in which the kernel kept interrupts off, by the tracepoints {@value #GROUP}. Only kernels that are built for it have them.
 *
 * @param thread that was on the CPU
 * @param function of the kernel that turned interrupts off
 * @param caller of that function; empty if the kernel does not tell
 */
public record InterruptsOff(int cpu, Interval interval, String thread, String function, String caller) {
    /** The group of the tracepoints. */
    public static final String GROUP = "preemptirq";

    /** The tracepoints, as a directory of tracefs has them. */
    public static final List<String> TRACEPOINTS = List.of(GROUP + "/irq_disable", GROUP + "/irq_enable");

    private static final String OFF = "irq_disable";
    private static final String ON = "irq_enable";
    private static final String OFFSET = "\\+0x.*$";
    private static final String NOWHERE = "0x0";

    /** Returns whether an event tells that interrupts went off or came on. */
    public static boolean isOf(TraceLine line) {
        return line.event().equals(OFF) || line.event().equals(ON);
    }

    /**
     * Returns the longest section of each CPU that has one, by CPU. One of which the begin or the end is not in the trace is left out, because its length is not known.
     *
     * @param lines by time; other events than those of the group do not matter
     */
    public static List<InterruptsOff> of(List<TraceLine> lines) {
        Map<Integer, TraceLine> off = new HashMap<>();
        Map<Integer, InterruptsOff> longest = new TreeMap<>();
        for (TraceLine line : lines) {
            if (line.event().equals(OFF)) {
                off.putIfAbsent(line.cpu(), line);
            } else if (line.event().equals(ON)) {
                TraceLine begin = off.remove(line.cpu());
                if (begin != null) {
                    longest.merge(line.cpu(), between(begin, line), InterruptsOff::longer);
                }
            }
        }
        return List.copyOf(longest.values());
    }

    private static InterruptsOff between(TraceLine begin, TraceLine end) {
        return new InterruptsOff(
                begin.cpu(),
                new Interval(begin.timeNs(), end.timeNs()),
                begin.tid() == 0 ? "idle" : begin.comm(),
                name(begin.argument("caller")),
                name(begin.argument("parent")));
    }

    private static String name(String function) {
        return function.equals(NOWHERE) ? "" : function.replaceFirst(OFFSET, "");
    }

    private static InterruptsOff longer(InterruptsOff one, InterruptsOff other) {
        return Comparator.<InterruptsOff>comparingLong(
                                        section -> section.interval().lengthNs())
                                .compare(other, one)
                        > 0
                ? other
                : one;
    }
}
