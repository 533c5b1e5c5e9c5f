package org.naklab.lab.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunDirectory;

/** Runs each seed in a process tree of its own and, as root, in a network namespace of its own. */
public final class ProcessRunner implements SeedRunner {
    /** Exit codes of a run that is not a verdict. */
    private static final int USAGE = 64;

    private static final int UNAVAILABLE = 69;

    private static final String CANARY_SCENARIO = "baseline";
    /** Its prediction cannot hold while a receiver gets no data at all. */
    private static final List<String> CANARY_OPTIONS =
            List.of("--duration", "4", "--rate", "1000", "--fault", "datagram-loss:probability=1,on=gateway-1@+500ms");

    /** A soak has a command of its own, which draws its faults from the seed. */
    private static final String SOAK = "soak";

    private static final String LOOPBACK =
            "ip link set lo up && ip link set lo multicast on" + " && ip route add 224.0.0.0/4 dev lo && exec \"$@\"";
    private static final long STEP_MS = 100;
    private static final long WIND_DOWN_MS = 60_000;

    private final Settings settings;
    private final CampaignPlan plan;

    /**
     * Tells how seeds are run.
     *
     * @param program the launcher
     * @param directory a directory for each seed is made in it
     * @param hasOwnNetwork whether each run has a network namespace of its own
     */
    public record Settings(String program, Path directory, boolean hasOwnNetwork) {}

    public ProcessRunner(CampaignPlan plan, Settings settings) {
        this.plan = plan;
        this.settings = settings;
    }

    /** Returns whether this process may make a network namespace and set it up. */
    public static boolean canHaveOwnNetwork() throws InterruptedException {
        try {
            return new ProcessBuilder("unshare", "--net", "--", "sh", "-c", LOOPBACK, "sh", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no such program: not Linux, or not util-linux.
            return false;
        }
    }

    @Override
    public SeedResult run(Cell cell, long seed, List<String> faults, Cancellation cancellation)
            throws InterruptedException {
        Path directory = settings.directory().resolve(cell.scenario() + "-" + cell.arm() + "-" + seed);
        List<String> command = command(cell, seed, faults, directory);
        long beganNs = System.nanoTime();
        try {
            Files.createDirectories(directory);
            Path log = directory.resolve("run.log");
            int exitCode = await(start(command, log), cancellation);
            long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            if (!cancellation.isRequested()) {
                refuse(exitCode, log);
            }
            String again = again(cell, seed, faults);
            String scenario = cell.isCanary() ? CANARY_SCENARIO : cell.scenario();
            SeedResult result = newest(directory.resolve(scenario))
                    .flatMap(run -> read(run).map(record -> result(run, record, again, elapsedMs)))
                    .orElseGet(() -> SeedResult.unknown(
                            "the run ended with exit code " + exitCode + " and left no record; see " + log,
                            again,
                            elapsedMs,
                            null));
            if (result.verdict() == Verdict.PASS || cancellation.isRequested()) {
                FileTrees.delete(directory);
                return without(result);
            }
            return result;
        } catch (IOException e) {
            throw new LabException("cannot run seed " + seed + " in " + directory + ": " + e, e);
        }
    }

    private List<String> command(Cell cell, long seed, List<String> faults, Path directory) {
        // The kernel ends the run when this process is killed.
        List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "TERM"));
        if (settings.hasOwnNetwork()) {
            command.addAll(List.of("unshare", "--net", "--", "sh", "-c", LOOPBACK, "sh"));
        }
        command.add(settings.program());
        command.addAll(words(cell, seed, faults));
        command.addAll(List.of("--runs", directory.toString()));
        if (cell.scenario().equals(SOAK)) {
            command.add("--no-shrink");
        }
        return command;
    }

    private String again(Cell cell, long seed, List<String> faults) {
        return ShellWord.of(settings.program()) + " "
                + words(cell, seed, faults).stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }

    private List<String> words(Cell cell, long seed, List<String> faults) {
        List<String> words = new ArrayList<>();
        if (cell.isCanary()) {
            words.addAll(List.of("run", CANARY_SCENARIO, "--seed", String.valueOf(seed)));
            words.addAll(CANARY_OPTIONS);
            return words;
        }
        if (cell.scenario().equals(SOAK)) {
            words.addAll(List.of("soak", "--seed", String.valueOf(seed)));
            if (plan.options().swarm()) {
                words.add("--swarm");
            }
        } else {
            words.addAll(List.of("run", cell.scenario(), "--seed", String.valueOf(seed), "--remedy", cell.arm()));
            if (plan.options().fidelity() != null) {
                words.addAll(List.of("--fidelity", plan.options().fidelity()));
            }
            faults.forEach(fault -> words.addAll(List.of("--fault", fault)));
        }
        words.addAll(plan.options().runOptions());
        return words;
    }

    /** Starts a program that does not take itself for a shard; its output goes to a file. */
    static Process start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().remove("JOB_COMPLETION_INDEX");
        return builder.start();
    }

    /** A run winds down when it gets a signal: it undoes its faults and removes its files. */
    static int await(Process process, Cancellation cancellation) throws InterruptedException {
        try {
            while (!process.waitFor(STEP_MS, TimeUnit.MILLISECONDS)) {
                if (cancellation.isRequested()) {
                    process.destroy();
                    if (!process.waitFor(WIND_DOWN_MS, TimeUnit.MILLISECONDS)) {
                        process.destroyForcibly();
                    }
                }
            }
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    /** What is wrong with every seed is not a result of one. */
    private static void refuse(int exitCode, Path log) throws IOException {
        if (exitCode == USAGE) {
            throw new UsageException("runs of this campaign are refused: " + lastLine(log));
        }
        if (exitCode == UNAVAILABLE) {
            throw new UnavailableException("this machine cannot run the campaign: " + lastLine(log));
        }
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "no output" : lines.get(lines.size() - 1).strip();
    }

    /** The link {@code latest} leads only to runs that came to their end. */
    private static Optional<Path> newest(Path scenario) throws IOException {
        if (!Files.isDirectory(scenario)) {
            return Optional.empty();
        }
        try (Stream<Path> runs = Files.list(scenario)) {
            return runs.filter(run -> RunDirectory.isName(String.valueOf(run.getFileName())))
                    .max(Comparator.naturalOrder());
        }
    }

    private static Optional<RunRecord> read(Path run) {
        Path file = run.resolve(RunRecord.NAME);
        try {
            return Files.exists(file) ? Optional.of(Json.read(file, RunRecord.class)) : Optional.empty();
        } catch (UncheckedIOException e) {
            // A record that was cut short is none; the log of the run says why.
            return Optional.empty();
        }
    }

    private static SeedResult result(Path run, RunRecord record, String again, long elapsedMs) {
        Verdict verdict =
                Verdict.labelled(record.document().finding().verdict()).orElse(Verdict.UNKNOWN);
        return new SeedResult(
                verdict,
                claim(record, verdict),
                record.document().finding().diagnosis(),
                again,
                elapsedMs,
                record.document().longestStalls().stream()
                        .mapToDouble(Stall::durationMs)
                        .findFirst()
                        .orElse(0),
                record.document().counts().naks(),
                record.document().counts().datagramsDropped(),
                RunFileReader.of(run, record).run().receivers(),
                record.document().runDirectory());
    }

    private static @Nullable String claim(RunRecord record, Verdict verdict) {
        return record.judged().conditions().stream()
                .filter(condition -> condition.verdict().equals(verdict.label()))
                .map(RunRecord.Condition::claim)
                .filter(claim -> verdict != Verdict.PASS)
                .findFirst()
                .orElse(verdict == Verdict.PASS ? null : record.course().reason());
    }

    private static SeedResult without(SeedResult result) {
        return new SeedResult(
                result.verdict(),
                result.claim(),
                result.cause(),
                result.replay(),
                result.elapsedMs(),
                result.longestStallMs(),
                result.naks(),
                result.datagramsDropped(),
                result.receivers(),
                null);
    }
}
