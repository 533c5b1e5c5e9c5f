package org.naklab.lab.tools.linking;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;

/**
 * Counts and times calls of functions of a running process, by uprobes at their entry and return. The program that sets them checks every 5 ms what they have cost since the
 * first one was set, and takes the probes from the function that is called most often if that is more than the limit permits. Needs root.
 */
final class FunctionProbes implements AutoCloseable {
    private static final String PROGRAM = "naklab-calls";
    private static final String REFUSAL = "no uprobes: ";
    private static final double PERMILLE_PER_PERCENT = 10;

    private final AskedProcess process;
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

    /** Tells what was counted. */
    record Counted(List<Calls> calls, List<Cut> cuts, End end) {}

    private FunctionProbes(AskedProcess process) {
        this.process = process;
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
        Path program = NativeProgram.unpack(
                PROGRAM,
                files,
                REFUSAL + "the lab was built without the program that sets them;"
                        + " apt-get install clang bpftool libbpf-dev libelf-dev, then build again (x86-64 and aarch64)");
        try {
            FunctionProbes probes = new FunctionProbes(AskedProcess.start(
                    PROGRAM,
                    new ProcessBuilder(
                                    program.toString(),
                                    Long.toString(pid),
                                    Long.toString(Math.round(limitPercent * PERMILLE_PER_PERCENT)),
                                    Long.toString(TimeUnit.NANOSECONDS.toMillis(durationNs)))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)));
            probes.begin(functions);
            return probes;
        } catch (LabException | UncheckedIOException e) {
            throw new UnavailableException(REFUSAL + e.getMessage(), e);
        }
    }

    private void begin(List<Place> functions) {
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
        process.send(lines + "go");
        try {
            Line line = read();
            while (!(line instanceof Ready ready)) {
                if (line instanceof Refused one) {
                    refused.add(one);
                }
                line = read();
            }
            costNs = ready.costNs();
        } catch (LabException | UncheckedIOException e) {
            close();
            throw e;
        }
    }

    /** Reads a line; keeps it if a function has lost its probes. */
    private Line read() {
        Line line = process.next(Line.class);
        if (line instanceof Failed failed) {
            throw new LabException(failed.message());
        }
        if (line instanceof Cut cut) {
            cuts.add(cut);
        }
        return line;
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
        process.send("start");
        try {
            while (!(read() instanceof Started)) {}
        } catch (LabException | UncheckedIOException e) {
            throw new LabException("the uprobes failed: " + e.getMessage(), e);
        }
    }

    /** Returns the functions that have lost their probes since the last question. */
    List<Cut> newCuts() {
        List<Cut> fresh = new ArrayList<>();
        for (Optional<String> line = process.poll(); line.isPresent(); line = process.poll()) {
            if (Json.fromLine(line.get(), Line.class) instanceof Cut cut) {
                fresh.add(cut);
            }
        }
        cuts.addAll(fresh);
        return fresh;
    }

    /** Takes the probes away, and returns what was counted. @throws LabException the program has died */
    Counted end() {
        List<Calls> calls = new ArrayList<>();
        process.endInput();
        try {
            Line line = read();
            while (!(line instanceof End end)) {
                if (line instanceof Calls counted) {
                    calls.add(counted);
                }
                line = read();
            }
            return new Counted(calls, List.copyOf(cuts), end);
        } catch (LabException | UncheckedIOException e) {
            throw new LabException("the counts of the uprobes cannot be read: " + e.getMessage(), e);
        }
    }

    /** Ends the program, if it has not ended; the kernel takes the probes away with it. */
    @Override
    public void close() {
        process.close();
    }
}
