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
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.trace.TraceSummary;

/** One ring for each CPU in the kernel, that is on or off. Not thread-safe but for {@link #off()}. */
final class TraceInstance implements AutoCloseable {
    private static final byte[] OFF = {'0'};
    private static final byte[] ON = {'1'};

    private final TraceDirectory directory;
    private final TraceSettings settings;
    private final FileOutputStream switchFile;
    /** Rings of their own for the times in which interrupts are off; {@code null} if the kernel does not tell them. */
    private final @Nullable TraceInstance interruptsOff;

    private volatile boolean isClean = true;

    private TraceInstance(
            TraceDirectory directory,
            TraceSettings settings,
            FileOutputStream switchFile,
            @Nullable TraceInstance interruptsOff) {
        this.interruptsOff = interruptsOff;
        this.directory = directory;
        this.settings = settings;
        this.switchFile = switchFile;
    }

    /**
     * Makes an instance that is off.
     *
     * @param threads names of threads whose kernel stack is recorded when they leave their CPU
     * @throws DetectException if the kernel or this user has no trace
     */
    static TraceInstance create(List<String> threads, TraceUndo undo) {
        TraceInstance main = create(undo, instance -> TraceSettings.apply(instance, threads));
        if (!TraceSettings.hasInterruptsOff(main.directory.instance())) {
            return main;
        }
        try {
            return main.with(create(undo, TraceSettings::applyInterruptsOff));
        } catch (DetectException e) {
            main.close();
            throw e;
        }
    }

    private static TraceInstance create(TraceUndo undo, Function<Path, TraceSettings> apply) {
        TraceDirectory directory = TraceDirectory.create(undo);
        try {
            TraceSettings settings = apply.apply(directory.instance());
            return new TraceInstance(
                    directory,
                    settings,
                    new FileOutputStream(
                            directory.instance().resolve("tracing_on").toFile()),
                    null);
        } catch (IOException e) {
            directory.close();
            throw new DetectException("no trace of the kernel: " + e.getMessage(), e);
        } catch (DetectException e) {
            directory.close();
            throw e;
        }
    }

    private TraceInstance with(TraceInstance ofInterruptsOff) {
        return new TraceInstance(directory, settings, switchFile, ofInterruptsOff);
    }

    TraceSettings settings() {
        return settings;
    }

    /** Returns whether nothing was recorded since it was made or cleared. */
    boolean isClean() {
        return isClean;
    }

    void on() {
        isClean = false;
        write(ON, "start");
        if (interruptsOff != null) {
            interruptsOff.on();
        }
    }

    /** Stops within microseconds. Any thread. */
    void off() {
        write(OFF, "stop");
        if (interruptsOff != null) {
            interruptsOff.off();
        }
    }

    private void write(byte[] value, String what) {
        try {
            switchFile.write(value);
        } catch (IOException e) {
            throw new DetectException("cannot " + what + " the kernel's trace: " + e.getMessage(), e);
        }
    }

    /** Forgets what was recorded; the kernel waits for all CPUs, some milliseconds. */
    void clear() {
        TraceSettings.write(directory.instance().resolve("trace"), "\n");
        if (interruptsOff != null) {
            interruptsOff.clear();
        }
        isClean = true;
    }

    /** Writes the text of what was recorded, compressed; the instance is off. The times in which interrupts were off come last. */
    void writeTo(OutputStream out) throws IOException {
        try (InputStream in = Files.newInputStream(directory.instance().resolve("trace"))) {
            GZIPOutputStream zipped = new GZIPOutputStream(out);
            in.transferTo(zipped);
            zipped.finish();
        }
        if (interruptsOff != null) {
            interruptsOff.writeTo(out);
        }
    }

    List<TraceSummary.Cpu> cpus() throws IOException {
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
                (long) (number(stats, "oldest event ts") * Units.NS_PER_S));
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
    public void close() {
        try (interruptsOff;
                directory) {
            off();
            switchFile.close();
        } catch (IOException e) {
            throw new DetectException("cannot stop the kernel's trace: " + e.getMessage(), e);
        }
    }
}
