package org.naklab.lab.report.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.core.trace.CpuActivity.Kind;
import org.naklab.lab.core.trace.InterruptsOff;
import org.naklab.lab.core.trace.LateTick;
import org.naklab.lab.core.trace.LongestSection;
import org.naklab.lab.core.trace.TraceLine;

/** The longest sections of the whole trace in which interrupts or soft interrupts kept a CPU from all threads, and the longest of all drawn in microseconds. */
final class LongestSections {
    /** What is drawn before and after the section, a part of its length. */
    private static final int MARGIN_PART = 4;
    /** Labels below the drawing, at equal distances. */
    private static final int LABELS = 6;

    private final List<TraceLine> lines;
    private final List<LongestSection> longest;
    private final List<LateTick> late;
    private final List<InterruptsOff> off;

    /** @param interruptsOff the events that tell when interrupts were off; none where the kernel does not tell */
    LongestSections(List<TraceLine> lines, List<TraceLine> interruptsOff) {
        off = InterruptsOff.of(interruptsOff);
        this.lines = lines;
        longest = Stream.of(Kind.SOFT_INTERRUPT, Kind.INTERRUPT)
                .flatMap(kind -> LongestSection.of(lines, kind).stream())
                .toList();
        late = LateTick.of(lines);
    }

    /** Adds its values to those of the page. */
    void fill(Map<String, Object> values) {
        Optional<LongestSection> drawn = longest.stream()
                .max(Comparator.comparingLong(section -> section.interval().lengthNs()));
        values.put("hasSections", drawn.isPresent());
        values.put("hasLateTicks", drawn.isPresent() && !late.isEmpty());
        drawn.ifPresent(section -> {
            values.put(
                    "sections",
                    Stream.of(
                                    longest.stream().map(LongestSections::row),
                                    off.stream().map(LongestSections::row),
                                    late.stream().map(LongestSections::row))
                            .flatMap(rows -> rows)
                            .toList());
            draw(section, values);
        });
    }

    private void draw(LongestSection section, Map<String, Object> values) {
        long marginNs = Math.max(1, section.interval().lengthNs() / MARGIN_PART);
        Interval shown = new Interval(
                section.interval().beginNs() - marginNs, section.interval().endNs() + marginNs);
        values.put("sectionCpu", section.cpu());
        values.put("sectionLength", us(section.interval().lengthNs()));
        values.put("sectionNames", String.join(", ", section.names()));
        values.put(
                "sectionRectangles",
                CpuStrip.rectangles(
                        CpuActivity.of(lines, section.cpu(), shown), shown, section.thread(), LongestSections::us));
        values.put(
                "sectionLabels",
                IntStream.rangeClosed(0, LABELS)
                        .mapToObj(i -> us(shown.lengthNs() * i / LABELS - marginNs))
                        .toList());
    }

    private static Map<String, Object> row(LongestSection section) {
        return row(
                section.kind() == Kind.INTERRUPT ? "interrupts" : "soft interrupts",
                section.cpu(),
                section.interval(),
                String.join(", ", section.names()),
                section.thread(),
                section.stack());
    }

    private static Map<String, Object> row(InterruptsOff section) {
        return row(
                "no interrupts: turned off",
                section.cpu(),
                section.interval(),
                "",
                section.thread(),
                List.of(section.function(), section.caller()));
    }

    private static Map<String, Object> row(LateTick tick) {
        return row("no interrupts: a late tick", tick.cpu(), tick.interval(), "", tick.thread(), tick.stack());
    }

    private static Map<String, Object> row(
            String kind, int cpu, Interval interval, String names, String thread, List<String> stack) {
        String function = stack.isEmpty() ? "not known: no tick came meanwhile" : stack.get(0);
        return Map.of(
                "kind", kind,
                "cpu", cpu,
                "length", us(interval.lengthNs()),
                "names", names,
                "thread", thread,
                "function", function,
                "caller", stack.size() > 1 ? stack.get(1) : "");
    }

    private static String us(long ns) {
        return String.format(Locale.ROOT, "%,.0f µs", ns / Units.NS_PER_US);
    }
}
