package org.naklab.lab.tools.jitter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSettings;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.process.Installation;
import org.naklab.lab.tools.jitter.reason.KernelTrace;

/** Runs the meter in a JVM of its own, with the JVM's log and the kernel's record of its threads. */
public final class JitterRun {
    /** Divides the threshold, because an outlier is the sum of several short times. */
    private static final int LEAST_PART = 5;

    private static final long LEAST_NS = 5_000;

    private static final List<String> THREADS = List.of(LatencyMeter.PRODUCER, LatencyMeter.CONSUMER);

    private JitterRun() {}

    /**
     * Tells where and how it is measured.
     *
     * @param java the JVM's program
     * @param flags of the JVM beside those that all processes of the lab have
     * @param injection pauses that are made on purpose
     * @param worst how many outliers the report lists
     * @param traceInto an existing directory for the kernel's trace of the worst outlier; null: none is recorded
     */
    public record Subject(
            Path java,
            List<String> flags,
            Injection injection,
            int worst,
            @Nullable Path traceInto) {
        public Subject {
            flags = List.copyOf(flags);
        }
    }

    /**
     * Measures once.
     *
     * @throws LabException if the JVM does not start with these flags
     * @throws org.naklab.lab.core.UnavailableException if a trace of the kernel is asked for and cannot be had
     */
    public static JitterReport run(MeterSettings settings, Subject subject) {
        try (PrivateDirectory directory =
                PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), "naklab-jitter-")) {
            return run(settings, subject, directory.path());
        } catch (IOException e) {
            throw new LabException("cannot use a directory for temporary files: " + e.getMessage(), e);
        }
    }

    private static JitterReport run(MeterSettings settings, Subject subject, Path directory) throws IOException {
        Path log = directory.resolve("safepoints.log");
        Path jfr = directory.resolve("safepoints.jfr");
        List<String> flags = new ArrayList<>(List.of(SafepointLog.option(log)));
        flags.addAll(subject.flags());
        Path traceInto = subject.traceInto();
        List<String> arguments =
                traceInto == null ? List.of(jfr.toString()) : List.of(jfr.toString(), MeterProcess.TELL_WORST);
        List<String> command =
                Installation.current().with(subject.java()).command(flags, MeterProcess.class, arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        KernelTrace trace = new KernelTrace(THREADS);
        Sources sources = new Sources();
        MeterReport report;
        List<Interval> injected;
        StolenShare stolen = StolenShare.start();
        JitterReport.WorstTrace worstTrace;
        try (OutlierTrace outliers = traceInto == null ? null : OutlierTrace.start(traceInto, THREADS);
                AskedProcess meter = AskedProcess.start("the JVM of the meter", builder)) {
            meter.send(Json.line(settings));
            expectReady(meter);
            KernelRecorder recorder =
                    sources.record(meter.pid(), settings.times().thresholdNs(), trace);
            Pauses pauses = Pauses.start(
                    subject.injection(), meter.pid(), settings.threads().consumerCpu());
            try {
                meter.send(MeterProcess.GO);
                long longestNs = settings.times().warmUpNs() + settings.times().durationNs() + AskedProcess.STUCK_NS;
                report = report(meter, longestNs, outliers);
            } finally {
                pauses.close();
                if (recorder != null) {
                    recorder.close();
                }
            }
            injected = new ArrayList<>(pauses.made());
            worstTrace = outliers == null ? null : outliers.end(worst(report));
        }
        injected.addAll(report.injected());
        sources.end(trace);
        return new JitterAnalysis(settings, subject, report, SafepointLog.read(log), trace)
                .report(
                        injected,
                        RecordedSafepoints.read(jfr),
                        stolen.sinceStart(),
                        sources.lookedAt,
                        sources.notLookedAt,
                        worstTrace);
    }

    private static MeterReport report(AskedProcess meter, long longestNs, @Nullable OutlierTrace outliers) {
        while (true) {
            MeterLine line = Json.fromLine(meter.next(longestNs), MeterLine.class);
            if (line instanceof MeterReport report) {
                return report;
            }
            if (outliers != null && line instanceof MeterLine.WorstSoFar worst) {
                outliers.onWorse(worst);
            }
        }
    }

    private static @Nullable Outlier worst(MeterReport report) {
        return report.outliers().stream()
                .max(Comparator.comparingLong(Outlier::latencyNs))
                .orElse(null);
    }

    private static void expectReady(AskedProcess meter) {
        String line = meter.next();
        if (!line.equals(MeterProcess.READY)) {
            throw new LabException(meter.name() + " wrote: " + line);
        }
    }

    static Histogram histogram(String encoded) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
        } catch (DataFormatException e) {
            throw new LabException("the histogram of the meter cannot be read: " + e.getMessage(), e);
        }
    }

    /** Lists the sources that were read and those that were not. */
    private static final class Sources {
        private final List<String> lookedAt = new ArrayList<>(List.of("the JVM's log of safepoints and collections"));
        private final List<String> notLookedAt = new ArrayList<>();

        /** Returns null if the kernel cannot be looked at. */
        @Nullable
        KernelRecorder record(long pid, long thresholdNs, KernelTrace trace) {
            try {
                KernelRecorder recorder = KernelRecorder.start(
                        RecorderSource.BPF,
                        List.of(pid),
                        RecorderSettings.ofShortTimes(Math.max(LEAST_NS, thresholdNs / LEAST_PART), THREADS),
                        trace);
                lookedAt.add("the kernel's record: run queue, interrupts, soft interrupts, page faults, timers, steal");
                return recorder;
            } catch (DetectException e) {
                notLookedAt.add(
                        "run queue, interrupts, soft interrupts, page faults, timers, steal: " + e.getMessage());
                return null;
            }
        }

        void end(KernelTrace trace) {
            if (!trace.incomplete().isEmpty()) {
                notLookedAt.add("a part of the kernel's record: " + trace.incomplete());
            }
        }
    }
}
