package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;

/**
 * Counts and times calls of functions of a running process, by uprobes at their entry and return. The program that sets them checks every 5 ms what they have cost since the
 * first one was set, and takes the probes from the function that is called most often if that is more than the limit permits. Needs root.
 */
final class FunctionProbes implements AutoCloseable {
    private static final String PROGRAM = "naklab-calls";
    private static final String REFUSAL = "no uprobes: ";
    private static final double PERMILLE_PER_PERCENT = 10;

    private final Process process;
    private final BufferedReader output;
    private final List<Refused> refused = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private double costNs;

    /** A line of the program. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.class, name = "ready"),
        @JsonSubTypes.Type(value = Started.class, name = "started"),
        @JsonSubTypes.Type(value = Failed.class, name = "error"),
        @JsonSubTypes.Type(value = Refused.class, name = "refused"),
        @JsonSubTypes.Type(value = Cut.class, name = "cut"),
        @JsonSubTypes.Type(value = Calls.class, name = "calls"),
        @JsonSubTypes.Type(value = End.class, name = "end")
    })
    private sealed interface Line permits Ready, Started, Failed, Refused, Cut, Calls, End {}

    private record Ready(double costNs) implements Line {}

    /** The next call is counted. */
    private record Started() implements Line {}

    private record Failed(String message) implements Line {}

    /** The kernel takes no probe for a function. */
    record Refused(int function, String message) implements Line {}

    /** A function lost its probes, because they cost too much. */
    record Cut(int function, long calls, long afterNs) implements Line {}

    /** The calls of a function by a thread, and their self time. */
    record Calls(int tid, int function, long calls, long ns) implements Line {}

    /**
     * Is the last line.
     *
     * @param calls that were counted
     * @param abandoned calls that {@code longjmp}, an exception or the end of their thread has left
     * @param traps entries of functions with probes, counted or not
     * @param ownNs what the program that sets the probes needed of a processor
     * @param probedNs from the first probe to the end of the last one
     */
    record End(long elapsedNs, long calls, long lost, long abandoned, long traps, long ownNs, long probedNs)
            implements Line {}

    /** What was counted. */
    record Counted(List<Calls> calls, List<Cut> cuts, End end) {}

    private FunctionProbes(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Sets the probes.
     *
     * @param files a directory from which programs may be executed
     * @param limitPercent of the time of one processor that the probes may cost
     * @param durationNs how long they are to stay, ns: the limit is kept over this time
     * @throws UnavailableException the build, the kernel or the rights do not permit it: says why
     */
    static FunctionProbes set(Path files, long pid, List<Place> functions, double limitPercent, long durationNs) {
        Path program = files.resolve(PROGRAM);
        try (InputStream in = FunctionProbes.class.getResourceAsStream("native/" + PROGRAM)) {
            if (in == null) {
                throw new UnavailableException(REFUSAL + "the lab was built without the program that sets them;"
                        + " apt-get install clang libbpf-dev libelf-dev, then build again (x86-64 and aarch64)");
            }
            Files.copy(in, program, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            FunctionProbes probes = new FunctionProbes(new ProcessBuilder(
                            program.toString(),
                            Long.toString(pid),
                            Long.toString(Math.round(limitPercent * PERMILLE_PER_PERCENT)),
                            Long.toString(TimeUnit.NANOSECONDS.toMillis(durationNs)))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
            probes.begin(functions);
            return probes;
        } catch (IOException e) {
            throw new UnavailableException(REFUSAL + e.getMessage(), e);
        }
    }

    private void begin(List<Place> functions) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < functions.size(); i++) {
            Place place = functions.get(i);
            lines.append(i)
                    .append(' ')
                    .append(place.function().offset())
                    .append(' ')
                    .append(place.file())
                    .append('\n');
        }
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.append(lines).append("go\n").flush();
        } catch (IOException e) {
            // It has ended, and its last line says why.
            process.getOutputStream();
        }
        for (Line line = read(); ; line = read()) {
            if (line instanceof Ready ready) {
                costNs = ready.costNs();
                return;
            }
            if (line instanceof Refused one) {
                refused.add(one);
            } else if (line instanceof Cut cut) {
                cuts.add(cut);
            } else if (line instanceof Failed failed) {
                close();
                throw new UnavailableException(REFUSAL + failed.message());
            }
        }
    }

    private Line read() throws IOException {
        String line = output.readLine();
        return line == null ? new Failed("the program that sets them has ended") : Json.fromLine(line, Line.class);
    }

    /** Returns what a call costs with both probes, ns, as measured at the start. */
    double costNs() {
        return costNs;
    }

    List<Refused> refused() {
        return refused;
    }

    /** Begins to count; returns when the next call is counted. @throws LabException the program has died */
    void start() {
        try {
            process.outputWriter(StandardCharsets.UTF_8).append("start\n").flush();
            for (Line line = read(); !(line instanceof Started); line = read()) {
                if (line instanceof Cut cut) {
                    cuts.add(cut);
                } else if (line instanceof Failed failed) {
                    throw new LabException("the uprobes failed: " + failed.message());
                }
            }
        } catch (IOException e) {
            throw new LabException("the uprobes failed: " + e.getMessage(), e);
        }
    }

    /** Returns the functions that have lost their probes since the last question. */
    List<Cut> newCuts() {
        try {
            List<Cut> fresh = new ArrayList<>();
            while (output.ready()) {
                if (read() instanceof Cut cut) {
                    fresh.add(cut);
                }
            }
            cuts.addAll(fresh);
            return fresh;
        } catch (IOException e) {
            throw new LabException("the counts of the uprobes cannot be read: " + e.getMessage(), e);
        }
    }

    /** Takes the probes away, and returns what was counted. @throws LabException the program has died */
    Counted end() {
        List<Calls> calls = new ArrayList<>();
        try {
            process.getOutputStream().close();
            while (true) {
                Line line = read();
                if (line instanceof Calls counted) {
                    calls.add(counted);
                } else if (line instanceof Cut cut) {
                    cuts.add(cut);
                } else if (line instanceof End end) {
                    return new Counted(calls, List.copyOf(cuts), end);
                } else if (line instanceof Failed failed) {
                    throw new LabException("the uprobes failed: " + failed.message());
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("the counts of the uprobes cannot be read: " + e.getMessage(), e);
        }
    }

    /** Ends the program, if it has not ended; the kernel takes the probes away with it. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
