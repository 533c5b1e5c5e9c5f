package org.naklab.lab.core.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity.Kind;
import org.naklab.lab.core.trace.CpuActivity.Section;

/**
 * The longest time of a CPU in which interrupts or soft interrupts had it without a break, so that no thread ran there.
 *
 * @param names of the interrupts, in the order in which they first came
 * @param thread that they interrupted; empty if the trace does not tell
 * @param stack of the kernel at a tick meanwhile, the interrupted function first, or {@value #USER_SPACE}; empty if no tick came
 */
public record LongestSection(
        int cpu, Kind kind, Interval interval, List<String> names, String thread, List<String> stack) {
    /** The resolution of the trace: soft interrupts of one pass have no longer break. A thread that causes one after the other by its system calls runs in between. */
    private static final long BREAK_NS = 1_000;

    /** In place of a function where a tick interrupted a program and not the kernel. */
    static final String USER_SPACE = "user space";

    private static final String END = "_exit";
    private static final String ENTRY_OF_INTERRUPT = "asm_sysvec_";

    public LongestSection {
        names = List.copyOf(names);
        stack = List.copyOf(stack);
    }

    /**
     * Returns the longest section of each CPU that has one, by CPU. One that was going on at an end of the trace is left out, because its length is not known.
     *
     * @param lines by time
     * @param kind {@link Kind#INTERRUPT} or {@link Kind#SOFT_INTERRUPT}
     */
    public static List<LongestSection> of(List<TraceLine> lines, Kind kind) {
        return lines.stream()
                .mapToInt(TraceLine::cpu)
                .distinct()
                .sorted()
                .mapToObj(cpu ->
                        of(lines.stream().filter(line -> line.cpu() == cpu).toList(), cpu, kind))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<LongestSection> of(List<TraceLine> lines, int cpu, Kind kind) {
        TraceLine last = lines.get(lines.size() - 1);
        Interval whole = new Interval(lines.get(0).timeNs(), last.timeNs());
        boolean isOver = last.event().endsWith(END);
        List<Section> sections = CpuActivity.of(lines, cpu, whole).sections().stream()
                .filter(section ->
                        section.kind() == kind && (isOver || section.interval().endNs() < whole.endNs()))
                .sorted(Comparator.comparingLong(section -> section.interval().beginNs()))
                .toList();
        return joined(sections).stream()
                .max(Comparator.comparingLong(group -> spanOf(group).lengthNs()))
                .map(group -> of(lines, cpu, kind, group));
    }

    /** Joins those between which nothing else had the CPU for longer than the kernel needs to begin the next. */
    private static List<List<Section>> joined(List<Section> sections) {
        List<List<Section>> groups = new ArrayList<>();
        long endNs = Long.MIN_VALUE;
        for (Section section : sections) {
            if (groups.isEmpty() || section.interval().beginNs() - endNs > BREAK_NS) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).add(section);
            endNs = Math.max(endNs, section.interval().endNs());
        }
        return groups;
    }

    private static Interval spanOf(List<Section> group) {
        return new Interval(
                group.get(0).interval().beginNs(),
                group.stream()
                        .mapToLong(section -> section.interval().endNs())
                        .max()
                        .orElseThrow());
    }

    private static LongestSection of(List<TraceLine> lines, int cpu, Kind kind, List<Section> group) {
        Interval span = spanOf(group);
        Set<String> names = new LinkedHashSet<>();
        group.forEach(section -> names.add(section.name()));
        String thread = lines.stream()
                .filter(line -> span.contains(line.timeNs()))
                .findFirst()
                .map(line -> line.tid() == 0 ? "idle" : line.comm())
                .orElse("");
        List<String> stack = lines.stream()
                .filter(line -> span.contains(line.timeNs()) && !line.stack().isEmpty())
                .findFirst()
                .map(line -> withoutTick(line.stack()))
                .orElse(List.of());
        return new LongestSection(cpu, kind, span, List.copyOf(names), thread, stack);
    }

    /** The innermost frames may be those of the tick itself. */
    static List<String> withoutTick(List<String> stack) {
        for (int i = 0; i < stack.size(); i++) {
            if (stack.get(i).startsWith(ENTRY_OF_INTERRUPT)) {
                return i + 1 < stack.size() ? stack.subList(i + 1, stack.size()) : List.of(USER_SPACE);
            }
        }
        return stack;
    }
}
