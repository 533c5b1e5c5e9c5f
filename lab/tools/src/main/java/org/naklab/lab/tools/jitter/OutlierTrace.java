package org.naklab.lab.tools.jitter;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceLine;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.instruments.trace.TraceRing;

/** Keeps the kernel's trace of all CPUs of the worst outlier of a measurement. */
final class OutlierTrace implements AutoCloseable {
    private final Path directory;
    private final Guard guard;
    private final TraceRing ring;
    private boolean hasWorst;

    private OutlierTrace(Path directory, Guard guard, TraceRing ring) {
        this.directory = directory;
        this.guard = guard;
        this.ring = ring;
    }

    /**
     * Starts to record.
     *
     * @param directory for the trace, which exists
     * @param threads the kernel's stack of these is recorded when they leave their CPU
     * @throws UnavailableException this kernel or this user has no trace: says why
     */
    static OutlierTrace start(Path directory, List<String> threads) {
        Guard guard = new Guard();
        try {
            TraceRing ring = TraceRing.start(
                    EnumSet.of(TimelineEventType.STALL),
                    threads,
                    () -> false,
                    (what, command) -> guard.toRun(what, command)::kept);
            ring.armFrom(0);
            return new OutlierTrace(directory, guard, ring);
        } catch (DetectException e) {
            guard.close();
            throw new UnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Stops a ring at a message that was later than all before it; another ring goes on. */
    void onWorse(MeterLine.WorstSoFar worst) {
        hasWorst = true;
        ring.onEvent(TimelineEvent.of(
                worst.readNs(),
                TimelineEventType.STALL,
                "jitter",
                LatencyMeter.CONSUMER,
                Map.of("durationNs", worst.latencyNs())));
    }

    /**
     * Writes the trace.
     *
     * @param worst the worst outlier; {@code null}: there was none
     * @return what ran meanwhile on the CPU of the thread that was late; {@code null} if nothing was kept
     */
    JitterReport.@Nullable WorstTrace end(@Nullable Outlier worst) {
        if (worst == null || !hasWorst) {
            return null;
        }
        ring.onWindow(directory, worst.beginNs(), worst.endNs());
        Path file = directory.resolve(TraceFile.NAME);
        String thread = worst.isOfProducer() ? LatencyMeter.PRODUCER : LatencyMeter.CONSUMER;
        if (recorded().times().eventNs() != worst.readNs()) {
            // It came while a ring was emptied after a lesser one.
            return new JitterReport.WorstTrace(file.toString(), thread, -1, List.of());
        }
        return read(TraceFile.read(file), file, thread, new Interval(worst.dueNs(), worst.readNs()));
    }

    private TraceSummary recorded() {
        try {
            TraceSummary summary = Json.read(directory.resolve(TraceSummary.NAME), TraceSummary.class);
            return Objects.requireNonNull(summary);
        } catch (UncheckedIOException e) {
            throw new LabException("cannot read the trace in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Returns what ran on the CPU of a thread in a time, the longest total of each kind first. */
    static JitterReport.WorstTrace read(List<TraceLine> lines, Path file, String thread, Interval time) {
        OptionalInt cpu = CpuActivity.cpuOf(lines, thread, time.beginNs());
        List<CpuActivity.Sum> sums = cpu.isEmpty()
                ? List.of()
                : CpuActivity.of(lines, cpu.getAsInt(), time).sums();
        return new JitterReport.WorstTrace(file.toString(), thread, cpu.orElse(-1), sums);
    }

    @Override
    public void close() {
        try (guard) {
            ring.close();
        }
    }
}
