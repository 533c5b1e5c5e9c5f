package org.naklab.lab.instruments.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.KeyValueFile;
import org.naklab.lab.instruments.linux.PressureFile;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** The machine's memory, free, cached and dirty, its pressure, and that of the process's control group; 5 times a second. */
public final class MemoryInstrument implements Instrument {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Path PRESSURE = Path.of("/proc/pressure/memory");
    private static final List<String> KEYS =
            List.of("MemFree:", "MemAvailable:", "Cached:", "Dirty:", "Writeback:", "Mapped:");
    private static final List<String> NAMES =
            List.of("freeBytes", "availableBytes", "cachedBytes", "dirtyBytes", "writebackBytes", "mappedBytes");
    private static final long PERIOD_NS = 200 * MILLISECOND_NS;

    private final TimelineListener listener;
    private final KeyValueFile meminfo = new KeyValueFile(MEMINFO, 4096, KEYS);
    private final Series[] series = NAMES.stream().map(MemoryInstrument::series).toArray(Series[]::new);
    private final @Nullable PressureFile pressure;
    private final @Nullable CgroupMemory cgroup;
    private final Series pressureSeries = series("somePressureUs");
    private final Series fullPressureSeries = series("fullPressureUs");
    private final PressureDetector pressureRule = new PressureDetector();

    /**
     * Opens the memory files of a process.
     *
     * @throws DetectException the process is gone
     */
    public MemoryInstrument(String process, long pid, TimelineListener listener) {
        this.listener = listener;
        pressure = Files.isReadable(PRESSURE) ? new PressureFile(PRESSURE) : null;
        cgroup = CgroupPaths.ofProcess(pid)
                .map(paths -> new CgroupMemory(process, paths, listener))
                .orElse(null);
    }

    private static Series series(String quantity) {
        return new Series(SeriesName.ofMachine(SeriesSource.MEMORY, quantity));
    }

    @Override
    public String title() {
        return "what reads the memory of the machine";
    }

    @Override
    public String describe() {
        return "/proc/meminfo" + (pressure == null ? " without PSI" : " with PSI") + "; "
                + (cgroup == null ? "no memory cgroup in sight" : cgroup.describe());
    }

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        meminfo.read();
        for (int i = 0; i < series.length; i++) {
            sink.record(series[i], nowNs, meminfo.value(i) * 1024);
        }
        if (pressure != null && pressure.read()) {
            sink.record(pressureSeries, nowNs, pressure.someUs());
            sink.record(fullPressureSeries, nowNs, pressure.fullUs());
            if (pressureRule.update(nowNs, pressure.someUs())) {
                listener.onEvent(new HostEvent.MemoryPressure(nowNs, "machine", "machine", pressureRule.share()));
            }
        }
        if (cgroup != null) {
            cgroup.sample(nowNs, sink);
        }
    }

    @Override
    public void close() {
        meminfo.close();
        if (pressure != null) {
            pressure.close();
        }
        if (cgroup != null) {
            cgroup.close();
        }
    }
}
