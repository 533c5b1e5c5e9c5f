package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunDirectory;

/**
 * Executes the watches of a {@link ForeignExperiment}: {@code naklab watch --record} observes a receiver that the script has started, while
 * the script disturbs it. The result is read from the files of the window during which it was disturbed.
 *
 * @param watch the command that watches; its arguments follow
 * @param ready part of the line that it prints when it observes the process and records
 * @param runs directory of all runs
 */
public record ForeignWatches(List<String> watch, String ready, Path runs) implements ForeignExperiment.Runs {
    private static final String SCENARIO = "foreign-watch";
    private static final String WORK = "foreign";
    /** More than one: other stalls of the receiver may be recorded as well. */
    private static final int WINDOWS = 5;
    /** From the begin of the watch, which finds the reading threads in its first second. */
    private static final long LEAST_LEAD_MS = 2_000;

    private static final long MOST_LEAD_MS = 3_000;
    /** For the drain of the sockets, the end of the window, and the measurements of the script. */
    private static final long AFTERMATH_MS = 5_000;
    /** A script may compile its receiver first. */
    private static final long RECEIVER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long ATTACH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);
    /** The documented exit codes of the watch. */
    private static final int QUIET = 0;

    private static final int FOUND = 3;

    /** The first line of a script: it announces its receiver. */
    private record Receiver(@JsonProperty("pid") long pid) {}

    public ForeignWatches {
        watch = List.copyOf(watch);
    }

    /** A watch takes as long as its disturbance. */
    @Override
    public void check(Disturbance disturbance) {}

    @Override
    public Optional<String> refusal(Disturbance disturbance) throws InterruptedException {
        return DisturbanceScript.refusal(disturbance);
    }

    /** The load is that of the runs. */
    @Override
    public AutoCloseable load(Load load) {
        return () -> {};
    }

    @Override
    public ForeignExperiment.Outcome run(ForeignExperiment.Case chosen, Cancellation cancellation)
            throws InterruptedException {
        Disturbance disturbance = chosen.disturbance();
        Path directory = RunDirectory.create(runs, SCENARIO, Instant.now(), chosen.seed())
                .path();
        long leadMs = new SplittableRandom(chosen.seed()).nextLong(LEAST_LEAD_MS, MOST_LEAD_MS);
        try (DisturbanceScript script = new DisturbanceScript(disturbance, directory.resolve(WORK), chosen.seed())) {
            script.set("LEAD_MS", String.valueOf(leadMs));
            script.set("RUN", directory.toString());
            try {
                Optional<String> unprepared = script.prepare();
                return unprepared.isPresent()
                        ? notMade(unprepared.get(), directory)
                        : received(
                                script,
                                directory,
                                leadMs + disturbance.demands().lengthMs() + AFTERMATH_MS);
            } finally {
                script.undo();
            }
        }
    }

    private ForeignExperiment.Outcome received(DisturbanceScript script, Path directory, long lengthMs)
            throws InterruptedException {
        try (AskedProcess receiver = script.receive()) {
            Optional<Receiver> started = receiver.awaitLine(line -> line.startsWith("{"), RECEIVER_TIMEOUT_NS)
                    .flatMap(ForeignWatches::receiver);
            if (started.isEmpty()) {
                boolean unused = receiver.finish(0);
                return notMade("the script started no receiver: " + script.reason(receiver), directory);
            }
            String pid = String.valueOf(started.get().pid());
            script.set("PID_RECEIVER", pid);
            return watched(script, pid, directory, lengthMs);
        }
    }

    private static Optional<Receiver> receiver(String line) {
        try {
            return Optional.of(Json.value(Json.parse(line), Receiver.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private ForeignExperiment.Outcome watched(DisturbanceScript script, String pid, Path directory, long lengthMs)
            throws InterruptedException {
        Path windows = directory.resolve("windows");
        try (AskedProcess watching =
                ScriptRun.start("watch", command(pid, windows, lengthMs), Map.of(), directory.resolve("watch.err"))) {
            if (watching.awaitLine(line -> line.contains(ready), ATTACH_TIMEOUT_NS)
                    .isEmpty()) {
                boolean unused = watching.finish(0);
                keep(directory, watching);
                return notMade("the watch did not begin: " + watching.endedHow(), directory);
            }
            Proof proof = disturbed(script, watching, TimeUnit.MILLISECONDS.toNanos(lengthMs) + GRACE_NS);
            keep(directory, watching);
            int code = watching.exitCode();
            return new ForeignExperiment.Outcome(proof, verdict(code), reading(windows, proof, code), directory);
        }
    }

    private List<String> command(String pid, Path windows, long lengthMs) {
        List<String> command = new ArrayList<>(watch);
        command.addAll(List.of(pid, "--record", windows.toString(), "--windows", String.valueOf(WINDOWS)));
        command.addAll(List.of("--duration", String.format(Locale.ROOT, "%.1f", lengthMs / Units.MS_PER_S)));
        return command;
    }

    private static Proof disturbed(DisturbanceScript script, AskedProcess watching, long timeoutNs)
            throws InterruptedException {
        try (AskedProcess disturbing = script.disturb()) {
            boolean unused = watching.finish(timeoutNs);
            disturbing.endInput();
            return disturbing.finish(GRACE_NS)
                    ? script.proofOf(disturbing)
                    : Proof.notMade("the script did not end in time");
        }
    }

    /** Keeps what the watch has printed. */
    private static void keep(Path directory, AskedProcess watching) {
        try {
            OutputFile.replace(directory.resolve("watch.out"), String.join("\n", watching.lines()) + "\n");
        } catch (IOException e) {
            throw new LabException("cannot keep the output of the watch: " + e, e);
        }
    }

    private static ForeignExperiment.Outcome notMade(String why, Path directory) {
        return new ForeignExperiment.Outcome(
                Proof.notMade(why), Verdict.UNKNOWN.label(), DiagnosisReading.NONE, directory);
    }

    /** A watch passes if it found nothing, and fails if it found stalls or losses. */
    static String verdict(int exitCode) {
        return (exitCode == QUIET ? Verdict.PASS : exitCode == FOUND ? Verdict.FAIL : Verdict.UNKNOWN).label();
    }

    /**
     * Reads the first window during which the receiver was disturbed. Without one, a watch that found nothing says that all was well, and a watch
     * that found something does not say what it was.
     */
    static DiagnosisReading reading(Path windows, Proof proof, int exitCode) {
        return IntStream.rangeClosed(1, WINDOWS)
                .mapToObj(number -> windows.resolve(String.valueOf(number)))
                .filter(window -> Files.exists(window.resolve(DiagnosisRecord.NAME)))
                .filter(window -> isThen(window, proof))
                .findFirst()
                .map(DiagnosisReading::of)
                .orElse(exitCode == QUIET ? DiagnosisReading.QUIET : DiagnosisReading.NONE);
    }

    private static boolean isThen(Path window, Proof proof) {
        Interval counted = Json.read(window.resolve(RunRecord.NAME), RunRecord.class)
                .course()
                .counted();
        return counted != null && proof.overlaps(counted);
    }
}
