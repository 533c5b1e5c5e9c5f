package org.naklab.lab.core.trace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.timeline.Interval;

/**
 * The scheduler's tick of a CPU that came latest: meanwhile the kernel kept interrupts off, or the CPU was not there. Ticks of a CPU are due at equal distances, also after
 * an idle time without any, so that most of them tell when the late one was due.
 *
 * @param interval from when it was due to when its timer expired, ns
 * @param thread that it interrupted
 * @param stack of the kernel at the tick, where interrupts came on again, the innermost function first, or {@value LongestSection#USER_SPACE}; empty if unknown
 */
public record LateTick(int cpu, Interval interval, String thread, List<String> stack) {
    private static final String EXPIRY = "hrtimer_expire_entry";
    private static final String ENTRY = "local_timer_entry";

    /** The distances that kernels are built with (CONFIG_HZ of 1000, 300, 250 and 100), ns. */
    private static final List<Long> PERIODS_NS = List.of(1_000_000L, 3_333_333L, 4_000_000L, 10_000_000L);

    /** With fewer ticks of a CPU, it is not known when they are due. */
    private static final int LEAST = 20;

    /** This part of all ticks is earlier than the one that counts as not late: a single early tick does not matter. */
    private static final int USUAL_PART = 10;

    public LateTick {
        stack = List.copyOf(stack);
    }

    /** A tick's timer that expired, and the stack that the kernel recorded at the begin of its interrupt. */
    private record Tick(long timeNs, String thread, List<String> stack) {}

    /**
     * Returns the latest tick of each CPU that had enough of them, by CPU.
     *
     * @param lines by time
     */
    public static List<LateTick> of(List<TraceLine> lines) {
        return lines.stream()
                .mapToInt(TraceLine::cpu)
                .distinct()
                .sorted()
                .mapToObj(cpu ->
                        of(lines.stream().filter(line -> line.cpu() == cpu).toList(), cpu))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<LateTick> of(List<TraceLine> lines, int cpu) {
        List<Tick> ticks = new TickReader(lines).ticks();
        if (ticks.size() < LEAST) {
            return Optional.empty();
        }
        long periodNs = periodNs(ticks);
        long firstNs = ticks.get(0).timeNs();
        List<Long> phasesNs = ticks.stream()
                .map(tick -> Math.floorMod(tick.timeNs() - firstNs + periodNs / 2, periodNs) - periodNs / 2)
                .sorted()
                .toList();
        long dueNs = firstNs + phasesNs.get(phasesNs.size() / USUAL_PART);
        return ticks.stream()
                .max(Comparator.comparingLong(tick -> latenessNs(tick, dueNs, periodNs)))
                .map(tick -> new LateTick(
                        cpu,
                        new Interval(tick.timeNs() - latenessNs(tick, dueNs, periodNs), tick.timeNs()),
                        tick.thread(),
                        tick.stack()));
    }

    /** Idle CPUs leave out ticks: the shorter distances tell the period. */
    private static long periodNs(List<Tick> ticks) {
        long[] distancesNs = new long[ticks.size() - 1];
        for (int i = 0; i < distancesNs.length; i++) {
            distancesNs[i] = ticks.get(i + 1).timeNs() - ticks.get(i).timeNs();
        }
        Arrays.sort(distancesNs);
        long shortNs = distancesNs[distancesNs.length / 4];
        return PERIODS_NS.stream()
                .min(Comparator.comparingLong(period -> Math.abs(period - shortNs)))
                .orElseThrow();
    }

    /** One that came a little before the usual time was not nearly a period late. */
    private static long latenessNs(Tick tick, long dueNs, long periodNs) {
        long latenessNs = Math.floorMod(tick.timeNs() - dueNs, periodNs);
        return latenessNs < periodNs / 4 * 3 ? latenessNs : 0;
    }

    /** Reads the ticks of one CPU. */
    private static final class TickReader {
        private final List<TraceLine> lines;
        private List<String> stack = List.of();

        TickReader(List<TraceLine> lines) {
            this.lines = lines;
        }

        List<Tick> ticks() {
            return lines.stream().flatMap(line -> tick(line).stream()).toList();
        }

        private Optional<Tick> tick(TraceLine line) {
            if (line.event().equals(ENTRY)) {
                stack = LongestSection.withoutTick(line.stack());
            }
            String now = line.argument("now");
            boolean isTick = line.event().equals(EXPIRY)
                    && line.argument("function").startsWith("tick_")
                    && now.matches("\\d{1,18}");
            return isTick
                    ? Optional.of(new Tick(Long.parseLong(now), line.tid() == 0 ? "idle" : line.comm(), stack))
                    : Optional.empty();
        }
    }
}
