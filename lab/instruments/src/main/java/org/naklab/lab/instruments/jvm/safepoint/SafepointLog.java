package org.naklab.lab.instruments.jvm.safepoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.JvmLogOption;
import org.naklab.lab.core.timeline.DetectException;

/**
 * The safepoints and collections of a JVM from its unified log, of JDK 17 and later. The log's nanoseconds are those of {@link System#nanoTime()}, so that nothing needs
 * to be converted; JFR has times of the wall clock.
 */
public final class SafepointLog {
    /** {@code [76727999126579ns][safepoint] Safepoint "Cleanup", Time since last: …, Reaching safepoint: 98837 ns, …, Total: 1258674 ns}. */
    private static final Pattern SAFEPOINT = Pattern.compile(
            "\\[(\\d+)ns].*Safepoint \"([^\"]*)\",.* Reaching safepoint: (\\d+) ns,.* Total: (\\d+) ns.*");

    /** {@code [76727999062872ns][gc] GC(0) Pause Full (System.gc()) 6M->0M(365M) 1.062ms}. */
    private static final Pattern PAUSE = Pattern.compile("\\[(\\d+)ns].*GC\\((\\d+)\\) (Pause .*) ([0-9.]+)ms");

    /** {@code [76727999062900ns][gc,cpu] GC(0) User=0.01s Sys=0.00s Real=0.01s}, to 10 ms. */
    private static final Pattern CPU =
            Pattern.compile("\\[(\\d+)ns].*GC\\((\\d+)\\) User=([0-9.]+)s Sys=([0-9.]+)s Real=([0-9.]+)s.*");

    private final List<Safepoint> safepoints = new ArrayList<>();
    private final List<Collection> collections = new ArrayList<>();
    private final List<CpuTime> cpuTimes = new ArrayList<>();

    /**
     * Is the pause of one garbage collection. Times are CLOCK_MONOTONIC in ns.
     *
     * @param id number of the collection; it may have several pauses
     * @param name as the JVM writes it, such as {@code Pause Young (Allocation Failure)}
     */
    public record Collection(long id, String name, long beginNs, long endNs) {}

    /**
     * Is the CPU time of one garbage collection, as far as the JVM tells it: to 10 ms.
     *
     * @param id number of the collection
     * @param timeNs when it was written, CLOCK_MONOTONIC
     * @param cpuNs of all threads that collected, ns
     */
    public record CpuTime(long id, long timeNs, long cpuNs) {}

    private SafepointLog() {}

    /** Returns the option that makes a JVM write such a log. */
    public static String option(Path file) {
        return JvmLogOption.to(file);
    }

    /** Reads a log; a last line that is not complete is left out. @throws DetectException it cannot be read */
    public static SafepointLog read(Path file) {
        try {
            return of(Files.readAllLines(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new DetectException("cannot read the JVM's log " + file + ": " + e.getMessage(), e);
        }
    }

    /** Parses the lines of a log; others are left out. */
    public static SafepointLog of(List<String> lines) {
        SafepointLog log = new SafepointLog();
        lines.forEach(log::add);
        return log;
    }

    private void add(String line) {
        Matcher safepoint = SAFEPOINT.matcher(line);
        if (safepoint.matches()) {
            long endNs = Long.parseLong(safepoint.group(1));
            safepoints.add(new Safepoint(
                    safepoint.group(2),
                    endNs - Long.parseLong(safepoint.group(4)),
                    endNs,
                    Long.parseLong(safepoint.group(3))));
            return;
        }
        Matcher pause = PAUSE.matcher(line);
        if (pause.matches()) {
            long endNs = Long.parseLong(pause.group(1));
            long lengthNs = Math.round(Double.parseDouble(pause.group(4)) * Units.NS_PER_MS);
            collections.add(new Collection(
                    Long.parseLong(pause.group(2)),
                    pause.group(3).replaceFirst(" \\d+[BKMG]->.*", ""),
                    endNs - lengthNs,
                    endNs));
            return;
        }
        Matcher cpu = CPU.matcher(line);
        if (cpu.matches()) {
            double cpuS = Double.parseDouble(cpu.group(3)) + Double.parseDouble(cpu.group(4));
            cpuTimes.add(new CpuTime(
                    Long.parseLong(cpu.group(2)), Long.parseLong(cpu.group(1)), Math.round(cpuS * Units.NS_PER_S)));
        }
    }

    /** Returns the safepoints in order of time. The log is written at the end of each, a few microseconds late. */
    public List<Safepoint> safepoints() {
        return List.copyOf(safepoints);
    }

    /** Returns the CPU times of collections in order of time. */
    public List<CpuTime> cpuTimes() {
        return List.copyOf(cpuTimes);
    }

    /** Returns the pauses of collections in order of time. */
    public List<Collection> collections() {
        return List.copyOf(collections);
    }
}
