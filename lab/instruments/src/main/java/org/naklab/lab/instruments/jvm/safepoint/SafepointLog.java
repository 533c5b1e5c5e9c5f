package org.naklab.lab.instruments.jvm.safepoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern PAUSE = Pattern.compile("\\[(\\d+)ns].*GC\\(\\d+\\) (Pause .*) ([0-9.]+)ms");

    private static final double NS_PER_MS = 1e6;

    private final List<Safepoint> safepoints = new ArrayList<>();
    private final List<Collection> collections = new ArrayList<>();

    /**
     * Is the pause of one garbage collection. Times are CLOCK_MONOTONIC in ns.
     *
     * @param name as the JVM writes it, such as {@code Pause Young (Allocation Failure)}
     */
    public record Collection(String name, long beginNs, long endNs) {}

    private SafepointLog() {}

    /** Returns the option that makes a JVM write such a log. */
    public static String option(Path file) {
        return "-Xlog:safepoint=info,gc=info:file=" + file + ":timenanos,tags:filecount=0";
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
            long lengthNs = Math.round(Double.parseDouble(pause.group(3)) * NS_PER_MS);
            collections.add(
                    new Collection(pause.group(2).replaceFirst(" \\d+[BKMG]->.*", ""), endNs - lengthNs, endNs));
        }
    }

    /** Returns the safepoints in order of time. The log is written at the end of each, a few microseconds late. */
    public List<Safepoint> safepoints() {
        return List.copyOf(safepoints);
    }

    /** Returns the pauses of collections in order of time. */
    public List<Collection> collections() {
        return List.copyOf(collections);
    }
}
