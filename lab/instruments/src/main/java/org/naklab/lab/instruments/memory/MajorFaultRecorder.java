package org.naklab.lab.instruments.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.sampling.ObserverProcesses;
import org.naklab.lab.instruments.threads.ThreadInstrument;

/**
 * Records the stacks of major faults with {@code perf}, on CLOCK_MONOTONIC. One process, started here and ended with this; it costs
 * nothing while there is no fault. The latest faults go round in perf's memory, half a megabyte for each processor; a file is written
 * only by {@link #keep} and at the end. Without perf or the permission there is still the count, from {@link ThreadInstrument}.
 */
public final class MajorFaultRecorder implements AutoCloseable {
    private static final long TIMEOUT_S = 30;
    private static final long ANSWER_TIMEOUT_MS = 10_000;
    private static final long POLL_MS = 5;

    private final Process perf;
    private final PerfFiles files;
    private final List<Path> kept = new ArrayList<>();

    private MajorFaultRecorder(Process perf, PerfFiles files) {
        this.perf = perf;
        this.files = files;
    }

    /**
     * Starts recording one thread; returns when perf is at work.
     *
     * @param tid a thread, whose id the kernel knows
     * @param directory for perf's files, which lie in a new directory below it that is gone at the end
     * @throws DetectException perf is not installed, or not permitted; the message says which, and what to do
     */
    public static MajorFaultRecorder start(int tid, Path directory) {
        return start("--tid=" + tid, PerfFiles.in(directory, "perf-" + tid));
    }

    /** Records all threads of a process, including those that it starts later. */
    static MajorFaultRecorder startOfProcess(long pid, Path directory) {
        return start("--pid=" + pid, PerfFiles.in(directory, "perf-" + pid));
    }

    /** Records some threads, given by their ids separated by commas. */
    static MajorFaultRecorder startOfThreads(String tids, Path directory) {
        return start("--tid=" + tids, PerfFiles.in(directory, "perf-" + tids.replace(',', '-')));
    }

    private static MajorFaultRecorder start(String target, PerfFiles files) {
        try (PerfControl control = new PerfControl(files.directory(), files.name())) {
            Process process = new ProcessBuilder(command(target, files.data(), control))
                    .redirectErrorStream(true)
                    .redirectOutput(files.log().toFile())
                    .start();
            ObserverProcesses.add(process.toHandle());
            MajorFaultRecorder faults = new MajorFaultRecorder(process, files);
            faults.begin(control);
            return faults;
        } catch (IOException e) {
            files.delete();
            throw new DetectException(
                    "no page-fault stacks, only their number: perf is not installed (apt-get install linux-perf; "
                            + e.getMessage() + ")",
                    e);
        }
    }

    private static List<String> command(String target, Path data, PerfControl control) {
        return List.of(
                "perf",
                "record",
                "--no-buildid-cache",
                "--no-bpf-event",
                "--event=major-faults",
                "--count=1",
                "-g",
                "--clockid=CLOCK_MONOTONIC",
                "--overwrite",
                "--switch-output=signal",
                "--delay=-1",
                "--control=" + control.option(),
                target,
                "--output=" + data);
    }

    /**
     * Makes perf write out what it holds, and continues. The stacks written are still part of the stacks at the end.
     *
     * @param file that it is put into; for {@code perf script} or {@code perf report}
     * @throws DetectException perf has ended, or does not write
     */
    void keep(Path file) {
        try {
            Files.move(written(), file);
            kept.add(file);
        } catch (IOException e) {
            throw new DetectException("cannot keep page-fault stacks: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while keeping page-fault stacks", e);
        }
    }

    /** Perf ends with what it records, and has written then as well. */
    private Path written() throws IOException, InterruptedException {
        boolean told = perf.isAlive() && Libc.kill(Math.toIntExact(perf.pid()), Libc.SIGUSR2) == 0;
        for (long waitedMs = 0; waitedMs < ANSWER_TIMEOUT_MS; waitedMs += POLL_MS) {
            boolean ended = !perf.isAlive();
            List<Path> dumps = files.dumps();
            if (!dumps.isEmpty()) {
                return dumps.get(0);
            }
            if (ended || !told) {
                throw new DetectException("no page-fault stacks of the window: perf has ended" + how());
            }
            perf.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
        }
        throw new DetectException("no page-fault stacks of the window: perf does not answer");
    }

    private String how() throws IOException {
        List<String> words = files.firstWords();
        return (perf.isAlive() ? "" : " (exit code " + perf.exitValue() + ")")
                + (words.isEmpty() ? "" : "; its last line: " + words.get(words.size() - 1));
    }

    /**
     * Ends the recording and symbolises it.
     *
     * @return by time: those that were kept, and the latest
     * @throws DetectException perf failed
     */
    public List<MajorFaultStack> stop() {
        end();
        List<MajorFaultStack> stacks = new ArrayList<>();
        try {
            for (Path dump : kept) {
                stacks.addAll(symbolise(dump));
            }
            for (Path dump : files.dumps()) {
                stacks.addAll(symbolise(dump));
            }
        } catch (IOException e) {
            throw new DetectException("cannot read page-fault stacks: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while reading page-fault stacks", e);
        }
        return stacks.stream()
                .sorted(Comparator.comparingLong(MajorFaultStack::timeNs))
                .toList();
    }

    private List<MajorFaultStack> symbolise(Path dump) throws IOException, InterruptedException {
        List<String> command =
                List.of("perf", "script", "-i", dump.toString(), "--ns", "-F", "tid,time,event,ip,sym,dso");
        Process script = new ProcessBuilder(command)
                .redirectOutput(files.script().toFile())
                .redirectError(files.log().toFile())
                .start();
        ObserverProcesses.add(script.toHandle());
        if (!script.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
            script.destroyForcibly();
            throw new DetectException("perf script did not end within " + TIMEOUT_S + " s");
        }
        return PerfScriptParser.parse(Files.readAllLines(files.script(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        end();
        files.delete();
    }

    /** Perf that may not record ends at once. */
    private void begin(PerfControl control) throws IOException {
        try {
            if (!control.enable(perf, ANSWER_TIMEOUT_MS)) {
                String said = String.join(" ", files.firstWords());
                close();
                throw new DetectException(
                        "no page-fault stacks, only their number: perf may not record here (try sysctl"
                                + " kernel.perf_event_paranoid=1, or as root): " + said);
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while starting perf", e);
        }
    }

    /** Ends perf with SIGTERM, on which it writes out what it holds. */
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
