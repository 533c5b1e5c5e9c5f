package org.naklab.lab.instruments.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.KeyValueFile;
import org.naklab.lab.instruments.linux.PressureFile;
import org.naklab.lab.instruments.sampling.CounterDetector;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Memory of a process's control group, version 1 or 2: usage, what is free of its limit if it has one, page cache, major faults of all
 * its processes, how often it was at its limit, and pressure.
 */
final class CgroupMemory implements AutoCloseable {
    private static final long REPORT_INTERVAL_NS = 1_000_000_000L;
    private static final int SMALL = 512;
    private static final int LARGE = 8192;

    private final String process;
    private final CgroupPaths paths;
    private final TimelineListener listener;
    private final KeyValueFile usage;
    private final KeyValueFile limit;
    private final KeyValueFile statistics;
    private final CgroupLimitCounter limitHits;
    private final @Nullable PressureFile pressure;
    private final Series usageSeries;
    private final Series freeSeries;
    private final Series cachedSeries;
    private final Series faultSeries;
    private final Series limitHitSeries;
    private final Series pressureSeries;
    private final CounterDetector limitRule;
    private final PressureDetector pressureRule = new PressureDetector();

    CgroupMemory(String process, CgroupPaths paths, TimelineListener listener) {
        this.process = process;
        this.paths = paths;
        this.listener = listener;
        usage = new KeyValueFile(paths.file(CgroupPaths.Entry.MEMORY_USED), SMALL, List.of(""));
        limit = new KeyValueFile(paths.file(CgroupPaths.Entry.MEMORY_LIMIT), SMALL, List.of(""));
        statistics = new KeyValueFile(
                paths.file(CgroupPaths.Entry.MEMORY_STATISTICS),
                LARGE,
                Stream.of("inactive_file", "active_file", "pgmajfault")
                        .map(paths::memoryStatistic)
                        .toList());
        limitHits = new CgroupLimitCounter(paths, limitBytes());
        Path pressureFile = paths.file(CgroupPaths.Entry.MEMORY_PRESSURE);
        pressure = Files.isReadable(pressureFile) ? new PressureFile(pressureFile) : null;
        SeriesName used = SeriesName.ofProcess(SeriesSource.CGROUP, process, "usageBytes");
        usageSeries = new Series(used);
        freeSeries = new Series(used.sibling("freeBytes"));
        cachedSeries = new Series(used.sibling("cachedBytes"));
        faultSeries = new Series(used.sibling("majorFaults"));
        limitHitSeries = new Series(used.sibling("limitHits"));
        pressureSeries = new Series(used.sibling("somePressureUs"));
        limitRule = new CounterDetector(REPORT_INTERVAL_NS, limitHits.value());
    }

    String describe() {
        return "cgroup v" + paths.version() + ' ' + paths.directory()
                + (pressure == null ? " without PSI" : " with PSI");
    }

    void sample(long nowNs, SampleSink sink) {
        long limitBytes = limitBytes();
        if (!usage.read() || !limitHits.read(limitBytes)) {
            return; // the group is gone, and the process with it
        }
        sink.record(usageSeries, nowNs, usage.value(0));
        if (limitBytes > 0) {
            sink.record(freeSeries, nowNs, limitBytes - usage.value(0));
        }
        if (statistics.read()) {
            sink.record(cachedSeries, nowNs, statistics.value(0) + statistics.value(1));
            sink.record(faultSeries, nowNs, statistics.value(2));
        }
        long hits = limitHits.value();
        sink.record(limitHitSeries, nowNs, hits);
        long newHits = limitRule.update(nowNs, hits);
        if (newHits > 0) {
            listener.onEvent(new HostEvent.LimitHit(limitRule.sinceNs(), process, newHits, hits, usage.value(0)));
        }
        if (pressure != null && pressure.read()) {
            sink.record(pressureSeries, nowNs, pressure.someUs());
            if (pressureRule.update(nowNs, pressure.someUs())) {
                listener.onEvent(new HostEvent.MemoryPressure(nowNs, process, "cgroup", pressureRule.share()));
            }
        }
    }

    /** Returns the limit, bytes; 0 if there is none. */
    private long limitBytes() {
        return limit.read() && limit.value(0) < CgroupPaths.NO_LIMIT ? limit.value(0) : 0;
    }

    @Override
    public void close() {
        usage.close();
        limit.close();
        statistics.close();
        limitHits.close();
        if (pressure != null) {
            pressure.close();
        }
    }
}
