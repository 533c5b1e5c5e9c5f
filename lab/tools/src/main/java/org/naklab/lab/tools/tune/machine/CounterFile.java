package org.naklab.lab.tools.tune.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;
import org.naklab.lab.tools.tune.workload.Figure;

/** A counter that {@code perf stat} reads of a process from its beginning to its end. Without an event it counts nothing. */
public final class CounterFile implements AutoCloseable {
    private static final String NOT_COUNTED = "<not ";

    private final String event;
    private final @Nullable Path file;

    private CounterFile(String event, @Nullable Path file) {
        this.event = event;
        this.file = file;
    }

    /**
     * Prepares to count.
     *
     * @param event of {@code perf list}; empty if there is none, or if this machine does not count it
     */
    public static CounterFile of(String event) {
        if (event.isEmpty() || !obstacle(event).isEmpty()) {
            return new CounterFile("", null);
        }
        try {
            return new CounterFile(event, Files.createTempFile("naklab-counter-", ".csv"));
        } catch (IOException e) {
            throw new LabException("no file can be created for perf stat: " + e.getMessage(), e);
        }
    }

    /** Returns why an event cannot be counted here, by counting it; empty: it can. */
    public static String obstacle(String event) {
        try {
            Process perf = new ProcessBuilder("perf", "stat", "-x", ",", "-e", event, "--", "true")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(perf.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return perf.waitFor() == 0 && valueIn(output, event).isPresent()
                    ? ""
                    : "no hardware counters: the PMU is not available";
        } catch (IOException e) {
            return "perf cannot be run: install the package linux-perf";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Returns the beginning of the command that counts; empty: nothing is counted. */
    public List<String> counting() {
        return file == null ? List.of() : List.of("perf", "stat", "-x", ",", "-o", file.toString(), "-e", event, "--");
    }

    /** Returns what was counted, when the process has ended. */
    public List<Figure> figures() {
        if (file == null) {
            return List.of();
        }
        try {
            return valueIn(Files.readString(file), event).stream()
                    .map(value -> new Figure(event, value))
                    .toList();
        } catch (IOException e) {
            throw new LabException("the file of perf stat cannot be read: " + e.getMessage(), e);
        }
    }

    /** A line is {@code value,unit,event,…}; the value of what the machine does not count is in angle brackets. */
    public static Optional<Double> valueIn(String text, String event) {
        return text.lines()
                .map(line -> line.split(",", -1))
                .filter(fields ->
                        fields.length > 2 && fields[2].startsWith(event) && !fields[0].startsWith(NOT_COUNTED))
                .map(fields -> Double.parseDouble(fields[0]))
                .findFirst();
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new LabException("the file of perf stat cannot be deleted: " + e.getMessage(), e);
        }
    }
}
