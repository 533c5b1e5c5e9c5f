package org.naklab.lab.detect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Records the stacks of a thread's major faults with {@code perf}, on CLOCK_MONOTONIC. One process, started here and ended with this; it
 * costs nothing while there is no fault. Without perf or the permission there is still the count, from {@link ThreadInstrument}.
 */
public final class PerfFaults implements AutoCloseable {
    private static final long TIMEOUT_S = 30;
    private static final long START_TIMEOUT_MS = 10_000;

    private final Process perf;
    private final Path data;
    private final Path log;

    private PerfFaults(Process perf, Path data, Path log) {
        this.perf = perf;
        this.data = data;
        this.log = log;
    }

    /**
     * Starts recording; returns when perf is at work.
     *
     * @param tid a thread, whose id the kernel knows
     * @param directory for {@code perf-TID.data}, and for what perf prints, {@code perf-TID.txt}
     * @throws DetectException perf is not installed, or not permitted; the message says which, and what to do
     */
    public static PerfFaults start(int tid, Path directory) {
        Path data = directory.resolve("perf-" + tid + ".data");
        Path log = directory.resolve("perf-" + tid + ".txt");
        try (PerfControl control = new PerfControl(directory, tid)) {
            Process process = new ProcessBuilder(command(tid, data, control))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            PerfFaults faults = new PerfFaults(process, data, log);
            faults.begin(control);
            return faults;
        } catch (IOException e) {
            throw new DetectException("no page-fault stacks: perf is not installed (" + e.getMessage() + ")", e);
        }
    }

    private static List<String> command(int tid, Path data, PerfControl control) {
        return List.of(
                "perf",
                "record",
                "--no-buildid-cache",
                "--event=major-faults",
                "--count=1",
                "-g",
                "--clockid=CLOCK_MONOTONIC",
                "--delay=-1",
                "--control=" + control.option(),
                "--tid=" + tid,
                "--output=" + data);
    }

    /**
     * Ends the recording and symbolises it.
     *
     * @throws DetectException perf failed
     */
    public List<FaultStack> stop() {
        end();
        if (!Files.exists(data)) {
            return List.of();
        }
        List<String> command =
                List.of("perf", "script", "-i", data.toString(), "--ns", "-F", "tid,time,event,ip,sym,dso");
        try {
            Path out = data.resolveSibling(data.getFileName() + ".txt");
            Process script = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(log.toFile())
                    .start();
            if (!script.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                script.destroyForcibly();
                throw new DetectException("perf script did not end within " + TIMEOUT_S + " s");
            }
            return PerfScriptParser.parse(Files.readAllLines(out, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new DetectException("cannot read page-fault stacks: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while reading page-fault stacks", e);
        }
    }

    @Override
    public void close() {
        end();
    }

    /** Perf that may not record ends at once. */
    private void begin(PerfControl control) throws IOException {
        try {
            if (!control.enable(perf, START_TIMEOUT_MS)) {
                end();
                throw new DetectException(
                        "no page-fault stacks: perf cannot record here (is kernel.perf_event_paranoid above 1?): "
                                + String.join(" ", firstLines()));
            }
        } catch (InterruptedException e) {
            end();
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while starting perf", e);
        }
    }

    private List<String> firstLines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
            if (!line.isBlank() && lines.size() < 2) {
                lines.add(line.strip());
            }
        }
        return lines;
    }

    /** On SIGTERM perf writes its file out. */
    private void end() {
        perf.destroy();
        try {
            if (!perf.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                perf.destroyForcibly();
                throw new DetectException("perf record did not end within " + TIMEOUT_S + " s");
            }
        } catch (InterruptedException e) {
            perf.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
