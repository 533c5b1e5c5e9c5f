package org.naklab.lab.instruments.trace;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.WindowListener;

/**
 * The kernel's trace of all CPUs in a bounded ring for each: switches and wake-ups of threads, interrupts, soft interrupts, expired timers and page
 * faults. An incident stops it at once, on the thread that reports the incident; the flight recorder then writes it into the window's directory.
 */
public final class TraceRing implements Instrument, TimelineListener, WindowListener {
    private static final byte[] OFF = {'0'};
    private static final byte[] ON = {'1'};
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;

    private final TraceDirectory directory;
    private final TraceSettings settings;
    private final TraceTrigger trigger;
    private final BooleanSupplier isWantedAgain;
    private final FileOutputStream switchFile;
    private final AtomicReference<@Nullable Stop> stop = new AtomicReference<>();
    private boolean isClosed;

    /** The end of the recording. The event is {@code null} if none caused it. */
    private record Stop(@Nullable TimelineEvent event, long reportedNs, long stoppedNs) {}

    private TraceRing(
            TraceDirectory directory,
            TraceSettings settings,
            TraceTrigger trigger,
            BooleanSupplier isWantedAgain,
            FileOutputStream switchFile) {
        this.directory = directory;
        this.settings = settings;
        this.trigger = trigger;
        this.isWantedAgain = isWantedAgain;
        this.switchFile = switchFile;
    }

    /**
     * Starts to record. Nothing stops it before {@link #armFrom}.
     *
     * @param trips the events that stop it
     * @param threads names of threads whose kernel stack is recorded when they leave their CPU
     * @param isWantedAgain whether another window may follow the one that was just written
     * @param undo removes the instance if this process is killed
     * @throws DetectException if the kernel or this user has no trace; the message says what to do
     */
    public static TraceRing start(
            Set<TimelineEventType> trips, List<String> threads, BooleanSupplier isWantedAgain, TraceUndo undo) {
        TraceDirectory directory = TraceDirectory.create(undo);
        try {
            TraceSettings settings = TraceSettings.apply(directory.instance(), threads);
            FileOutputStream switchFile = new FileOutputStream(
                    directory.instance().resolve("tracing_on").toFile());
            TraceRing ring = new TraceRing(directory, settings, new TraceTrigger(trips), isWantedAgain, switchFile);
            ring.rehearse();
            return ring;
        } catch (IOException e) {
            directory.close();
            throw new DetectException("no trace of the kernel: " + e.getMessage(), e);
        } catch (DetectException e) {
            directory.close();
            throw e;
        }
    }

    /** Stops it once before anything is recorded, so that all classes are loaded when it matters: the first call would take milliseconds. */
    private void rehearse() throws IOException {
        trigger.armFrom(0);
        onEvent(TimelineEvent.of(0, TimelineEventType.STALL, "lab", "", Map.of()));
        trigger.armFrom(Long.MAX_VALUE);
        stop.set(null);
        switchFile.write(ON);
    }

    /** Arms it: events before that time, CLOCK_MONOTONIC, do not stop it. Any thread. */
    public void armFrom(long timeNs) {
        trigger.armFrom(timeNs);
    }

    /** Stops the trace if the event matters. Any thread; must be called when an instrument reports the event, not later. */
    @Override
    public void onEvent(TimelineEvent event) {
        long reportedNs = System.nanoTime();
        if (stop.get() == null && trigger.isTrip(event)) {
            stop(event, reportedNs);
        }
    }

    private synchronized void stop(@Nullable TimelineEvent event, long reportedNs) {
        if (isClosed || stop.get() != null) {
            return;
        }
        try {
            switchFile.write(OFF);
            stop.set(new Stop(event, reportedNs, System.nanoTime()));
        } catch (IOException e) {
            throw new DetectException("cannot stop the kernel's trace: " + e.getMessage(), e);
        }
    }

    @Override
    public String describe() {
        String more = settings.tracers().isEmpty() ? "" : ", and the tracer " + String.join(", ", settings.tracers());
        String without =
                settings.missing().isEmpty() ? "" : "; this kernel has no " + String.join(", ", settings.missing());
        return "kernel trace of all CPUs, " + TraceSettings.BUFFER_KIB / 1_024 + " MiB each: "
                + settings.events().size() + " tracepoints" + more + without;
    }

    /** Stops the trace of a stall that lasts longer than the rings can hold. */
    @Override
    public void sample(long nowNs, SampleSink sink) {
        TimelineEvent overdue = stop.get() == null ? trigger.overdue(nowNs) : null;
        if (overdue != null) {
            stop(overdue, System.nanoTime());
        }
    }

    /** Writes the trace, and records again if another window may follow. */
    @Override
    public void onWindow(Path into, long fromNs, long toNs) {
        stop(null, System.nanoTime());
        try {
            OutputFile.replace(into.resolve(TraceFile.NAME), this::writeTrace);
            Json.write(into.resolve(TraceSummary.NAME), summary());
        } catch (IOException e) {
            throw new DetectException("the kernel's trace is not in " + into + ": " + e.getMessage(), e);
        }
        if (isWantedAgain.getAsBoolean()) {
            goOn(toNs);
        }
    }

    private void writeTrace(OutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(directory.instance().resolve("trace"))) {
            GZIPOutputStream zipped = new GZIPOutputStream(out);
            in.transferTo(zipped);
            zipped.finish();
        }
    }

    private synchronized void goOn(long fromNs) {
        if (isClosed) {
            return;
        }
        TraceSettings.write(directory.instance().resolve("trace"), "\n");
        try {
            switchFile.write(ON);
        } catch (IOException e) {
            throw new DetectException("cannot start the kernel's trace again: " + e.getMessage(), e);
        }
        trigger.armFrom(fromNs);
        stop.set(null);
    }

    private TraceSummary summary() throws IOException {
        Stop ended = stop.get();
        TimelineEvent event = ended == null ? null : ended.event();
        long reportedNs = ended == null ? 0 : ended.reportedNs();
        long stoppedNs = ended == null ? 0 : ended.stoppedNs();
        return new TraceSummary(
                event == null ? null : event.type().name(),
                event == null ? null : event.process(),
                event == null ? null : event.thread(),
                event == null ? 0 : event.timeNs(),
                reportedNs,
                stoppedNs,
                (stoppedNs - reportedNs) / NS_PER_US,
                TraceSettings.BUFFER_KIB,
                cpus(),
                settings.events(),
                settings.tracers(),
                settings.missing());
    }

    private List<TraceSummary.Cpu> cpus() throws IOException {
        List<TraceSummary.Cpu> cpus = new ArrayList<>();
        try (DirectoryStream<Path> directories =
                Files.newDirectoryStream(directory.instance().resolve("per_cpu"), "cpu*")) {
            for (Path each : directories) {
                int cpu = Integer.parseInt(String.valueOf(each.getFileName()).substring("cpu".length()));
                cpus.add(cpu(cpu, Files.readString(each.resolve("stats"), StandardCharsets.UTF_8)));
            }
        }
        cpus.sort(Comparator.comparingInt(TraceSummary.Cpu::cpu));
        return cpus;
    }

    /** Reads the counters that the kernel has of the ring of a CPU. */
    static TraceSummary.Cpu cpu(int cpu, String stats) {
        return new TraceSummary.Cpu(
                cpu,
                (long) number(stats, "entries"),
                (long) number(stats, "overrun"),
                (long) (number(stats, "commit overrun") + number(stats, "dropped events")),
                (long) (number(stats, "oldest event ts") * NS_PER_S));
    }

    private static double number(String stats, String name) {
        return stats.lines()
                .filter(line -> line.startsWith(name + ':'))
                .mapToDouble(line ->
                        Double.parseDouble(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    /** Stops, and removes the instance from the kernel. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            switchFile.write(OFF);
            switchFile.close();
        } catch (IOException e) {
            throw new DetectException("cannot stop the kernel's trace: " + e.getMessage(), e);
        } finally {
            directory.close();
        }
    }
}
