package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports when the CPU quota of a process's cgroups was used up. The kernel counts only how long the threads of a group were kept from running: the
 * event covers the time between two readings.
 */
public final class ThrottleInstrument implements Instrument {
    private final String process;
    private final Supplier<List<CpuThrottling.Reading>> groups;
    private final TimelineListener listener;
    private final Map<Path, Long> lastNs = new HashMap<>();
    private long lastReadNs;

    private ThrottleInstrument(
            String process, Supplier<List<CpuThrottling.Reading>> groups, TimelineListener listener, long nowNs) {
        this.process = process;
        this.groups = groups;
        this.listener = listener;
        lastReadNs = nowNs;
        groups.get().forEach(group -> lastNs.put(group.group(), group.throttledNs()));
    }

    /**
     * Attaches to a process.
     *
     * @param process name on the timeline
     * @param pid on the host
     * @throws DetectException if no cgroup of the process counts throttling
     */
    public static ThrottleInstrument attach(String process, long pid, TimelineListener listener) {
        if (groupsOf(pid).isEmpty()) {
            throw new DetectException("no CPU quota of " + process + ": its cgroup has no cpu controller");
        }
        return of(process, () -> groupsOf(pid), listener, System.nanoTime());
    }

    /** Looks the groups up each time: a process may be moved to another. One that has ended has none. */
    private static List<CpuThrottling.Reading> groupsOf(long pid) {
        return Files.exists(ProcPaths.of(pid, "cgroup"))
                ? CpuThrottling.ofProcess(pid).read()
                : List.of();
    }

    static ThrottleInstrument of(
            String process, Supplier<List<CpuThrottling.Reading>> groups, TimelineListener listener, long nowNs) {
        return new ThrottleInstrument(process, groups, listener, nowNs);
    }

    @Override
    public String title() {
        return "what reads the CPU quota";
    }

    @Override
    public String describe() {
        return "CPU quota of " + process + " by cpu.stat of its cgroups";
    }

    /** Reads nothing here: the files are read on the background thread. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public void refresh(long nowNs) {
        for (CpuThrottling.Reading group : groups.get()) {
            long grownNs = group.throttledNs() - lastNs.getOrDefault(group.group(), group.throttledNs());
            lastNs.put(group.group(), group.throttledNs());
            if (grownNs > 0) {
                // Version 1 counts when the group may run again: the time may have begun before the last reading.
                long beginNs = Math.min(lastReadNs, nowNs - grownNs);
                listener.onEvent(new HostEvent.Throttled(
                        new Interval(beginNs, nowNs), process, group.group().toString(), grownNs));
            }
        }
        lastReadNs = nowNs;
    }

    /** Reads no more: the process may have ended, and its cgroup with it. */
    @Override
    public void close() {}
}
