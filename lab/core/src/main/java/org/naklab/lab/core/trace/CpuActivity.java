package org.naklab.lab.core.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;

/** Tells what ran on one CPU: threads one after the other, and the interrupts and soft interrupts that had the CPU in between. */
public final class CpuActivity {
    private static final int COMM_BYTES = 15;
    private static final String ENTRY = "_entry";
    private static final String EXIT = "_exit";
    private static final String EXPIRED_TIMER = "hrtimer_expire";
    private static final String SWITCH = "sched_switch";

    private final int cpu;
    private final List<Section> sections = new ArrayList<>();
    private final List<TraceLine> stacks = new ArrayList<>();

    /** Tells what had the CPU. */
    public enum Kind {
        THREAD,
        INTERRUPT,
        SOFT_INTERRUPT
    }

    /** A time without a break of one kind; of a thread, the interrupts that came meanwhile included. */
    public record Section(Kind kind, String name, Interval interval) {}

    /** The sections of one name. */
    public record Sum(Kind kind, String name, long count, long totalNs, long longestNs) {
        private Sum plus(Section section) {
            long lengthNs = section.interval().lengthNs();
            return new Sum(kind, name, count + 1, totalNs + lengthNs, Math.max(longestNs, lengthNs));
        }
    }

    private CpuActivity(int cpu) {
        this.cpu = cpu;
    }

    /**
     * Returns the activity of a CPU within an interval.
     *
     * @param lines by time
     */
    public static CpuActivity of(List<TraceLine> lines, int cpu, Interval within) {
        CpuActivity activity = new CpuActivity(cpu);
        activity.fill(lines.stream().filter(line -> line.cpu() == cpu).toList(), within);
        return activity;
    }

    /** Returns the CPU that a thread used last before a time, or else the first one after it; empty if the trace does not show the thread. */
    public static OptionalInt cpuOf(List<TraceLine> lines, String thread, long timeNs) {
        String comm = commOf(thread);
        int found = -1;
        for (TraceLine line : lines) {
            boolean isOn = line.comm().equals(comm)
                    || (line.event().equals(SWITCH)
                            && line.argument("next_comm").equals(comm));
            if (line.timeNs() > timeNs && found >= 0) {
                break;
            }
            found = isOn ? line.cpu() : found;
        }
        return found < 0 ? OptionalInt.empty() : OptionalInt.of(found);
    }

    /** Returns the name of a thread as the kernel has it. */
    public static String commOf(String thread) {
        return thread.length() <= COMM_BYTES ? thread : thread.substring(0, COMM_BYTES);
    }

    private void fill(List<TraceLine> lines, Interval within) {
        Map<String, Long> open = new HashMap<>();
        long runningSinceNs = lines.isEmpty() ? 0 : lines.get(0).timeNs();
        String running =
                lines.isEmpty() ? "" : nameOf(lines.get(0).comm(), lines.get(0).tid());
        for (TraceLine line : lines) {
            if (!line.stack().isEmpty() && within.contains(line.timeNs())) {
                stacks.add(line);
            }
            if (line.event().equals(SWITCH)) {
                add(Kind.THREAD, running, runningSinceNs, line.timeNs(), within);
                running = nameOf(line.argument("next_comm"), tid(line.argument("next_pid")));
                runningSinceNs = line.timeNs();
            } else if (isOfInterrupt(line, ENTRY)) {
                open.put(keyOf(line, ENTRY), line.timeNs());
            } else if (isOfInterrupt(line, EXIT)) {
                end(line, open, within);
            }
        }
        if (!lines.isEmpty()) {
            long lastNs = lines.get(lines.size() - 1).timeNs();
            add(Kind.THREAD, running, runningSinceNs, lastNs, within);
            open.forEach((key, beginNs) -> add(kindOf(key), nameOf(key), beginNs, lastNs, within));
        }
    }

    /** Timers expire within an interrupt, and are no section of their own. */
    private static boolean isOfInterrupt(TraceLine line, String suffix) {
        return line.event().endsWith(suffix) && !line.event().startsWith(EXPIRED_TIMER);
    }

    private void end(TraceLine line, Map<String, Long> open, Interval within) {
        String key = keyOf(line, EXIT);
        String found = open.containsKey(key)
                ? key
                : open.keySet().stream()
                        .filter(candidate -> candidate.startsWith(key + ' '))
                        .findFirst()
                        .orElse(null);
        Long beginNs = found == null ? null : open.remove(found);
        if (found != null && beginNs != null) {
            add(kindOf(found), nameOf(found), beginNs, line.timeNs(), within);
        }
    }

    /** A device's interrupt has its name at the entry only. */
    private static String keyOf(TraceLine line, String suffix) {
        String point = line.event().substring(0, line.event().length() - suffix.length());
        return switch (point) {
            case "softirq" -> "softirq " + line.text().replaceFirst(".*\\[action=(\\w+)].*", "$1");
            case "irq_handler" -> ("irq " + line.argument("irq") + ' ' + line.argument("name")).strip();
            default -> point;
        };
    }

    private static Kind kindOf(String key) {
        return key.startsWith("softirq ") ? Kind.SOFT_INTERRUPT : Kind.INTERRUPT;
    }

    private static String nameOf(String key) {
        return key.startsWith("softirq ") ? key.substring("softirq ".length()) : key.replace('_', ' ');
    }

    private static String nameOf(String comm, int tid) {
        return tid == 0 ? "idle" : comm;
    }

    private static int tid(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    }

    private void add(Kind kind, String name, long beginNs, long endNs, Interval within) {
        if (endNs > beginNs) {
            new Interval(beginNs, endNs)
                    .intersection(within)
                    .filter(part -> part.lengthNs() > 0)
                    .ifPresent(part -> sections.add(new Section(kind, name, part)));
        }
    }

    /** Returns the number of the CPU. */
    public int cpu() {
        return cpu;
    }

    /** Returns the sections, each kind by time. */
    public List<Section> sections() {
        return List.copyOf(sections);
    }

    /** Returns the sums by kind and name, of each kind the longest total first. */
    public List<Sum> sums() {
        Map<List<Object>, Sum> sums = new LinkedHashMap<>();
        for (Section section : sections) {
            Sum none = new Sum(section.kind(), section.name(), 0, 0, 0);
            sums.merge(List.of(section.kind(), section.name()), none.plus(section), (sum, one) -> sum.plus(section));
        }
        return sums.values().stream()
                .sorted(Comparator.comparing(Sum::kind)
                        .thenComparing(Comparator.comparingLong(Sum::totalNs).reversed()))
                .toList();
    }

    /** Returns the longest section of a kind. */
    public Optional<Section> longest(Kind kind) {
        return sections.stream()
                .filter(section -> section.kind() == kind)
                .max(Comparator.comparingLong(section -> section.interval().lengthNs()));
    }

    /** Returns the event with the stack of the kernel that says most: within the longest soft interrupt, or else the deepest; {@code null} if there is none. */
    public @Nullable TraceLine stack() {
        Optional<Section> soft = longest(Kind.SOFT_INTERRUPT);
        return stacks.stream()
                .max(Comparator.<TraceLine, Boolean>comparing(line ->
                                soft.isPresent() && soft.get().interval().contains(line.timeNs()))
                        .thenComparing(line -> line.stack().size()))
                .orElse(null);
    }
}
