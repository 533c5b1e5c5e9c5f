package org.naklab.lab.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.testing.host.FreePorts;

/** The command line as a process of its own, as the launcher starts it. */
final class NaklabProcess implements AutoCloseable {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(240);

    private final Process process;
    private final Path directory;
    private final Path out;
    private final Path err;
    /** Where a watch records its windows; by default none. */
    private final List<Path> recordings;

    private NaklabProcess(Process process, List<String> command, Path directory, Path out, Path err) {
        this.process = process;
        recordings = recordings(command);
        this.directory = directory;
        this.out = out;
        this.err = err;
    }

    private static List<Path> recordings(List<String> command) {
        int option = command.indexOf("--record");
        return option < 0 ? List.of() : List.of(Path.of(command.get(option + 1)));
    }

    /** Its run directories go to {@code directory/runs}. */
    static NaklabProcess run(Path directory, String... options) {
        return run(Installation.current(), directory, options);
    }

    static NaklabProcess run(Installation installation, Path directory, String... options) {
        return run(installation, "baseline", directory, options);
    }

    static NaklabProcess runScenario(String scenario, Path directory, String... options) {
        return run(Installation.current(), scenario, directory, options);
    }

    /** A scenario with an installation of the caller's choice. */
    static NaklabProcess run(Installation installation, String scenario, Path directory, String... options) {
        List<String> arguments = scenario(scenario, directory, options);
        return start(installation.command(List.of(), Naklab.class, arguments), directory);
    }

    /** On a port of the caller's choice. */
    static NaklabProcess runOn(int port, Path directory, String... options) {
        List<String> arguments = scenario("baseline", port, directory, options);
        return start(Installation.current().command(List.of(), Naklab.class, arguments), directory);
    }

    private static List<String> scenario(String scenario, Path directory, String... options) {
        return scenario(scenario, FreePorts.pair(), directory, options);
    }

    private static List<String> scenario(String scenario, int port, Path directory, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", scenario, "--port", String.valueOf(port)));
        arguments.addAll(List.of("--runs", directory.resolve("runs").toString()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    /** Any command; its output goes to files in the directory. */
    static NaklabProcess command(Path directory, String... arguments) {
        return start(Installation.current().command(List.of(), Naklab.class, List.of(arguments)), directory);
    }

    /** Any command, by one that ends in executing it. */
    static NaklabProcess command(List<String> prefix, Path directory, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(Installation.current().command(List.of(), Naklab.class, List.of(arguments)));
        return start(command, directory);
    }

    /** A scenario, by a command that ends in executing it. */
    static NaklabProcess runScenario(List<String> prefix, String scenario, Path directory, String... options) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(Installation.current().command(List.of(), Naklab.class, scenario(scenario, directory, options)));
        return start(command, directory);
    }

    /** Any command that ends in executing the program, or its launcher. */
    static NaklabProcess of(List<String> command, Path directory) {
        return start(command, directory);
    }

    private static NaklabProcess start(List<String> command, Path directory) {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        // The background jobs of a shell ignore SIGINT, and what nohup starts ignores SIGHUP; so would their children.
        List<String> withSignals = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
        withSignals.addAll(command);
        try {
            Process process = new ProcessBuilder(withSignals)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new NaklabProcess(process, command, directory, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path latest(Path directory) {
        return directory.resolve("runs/latest");
    }

    /** When it has ended. */
    NaklabOutcome outcome() {
        return outcome(PATIENCE_NS);
    }

    /**
     * When it has ended; the accounts of its runs' and windows' stalls are complete.
     *
     * @param patienceNs how long it may take, ns
     */
    NaklabOutcome outcome(long patienceNs) {
        awaitExit(patienceNs);
        StallAccounts.assertComplete(directory);
        recordings.stream().filter(Files::isDirectory).forEach(StallAccounts::assertComplete);
        return new NaklabOutcome(process.exitValue(), out(), err());
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    /** Until events flow. */
    void awaitFlow() {
        await("the flow's first progress line", () -> err().contains("published") || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("ended before events flowed; standard error was:\n" + err() + out());
        }
    }

    List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    /** The process that runs one part of the replica, as naklab tells it. */
    ProcessHandle child(String name) {
        Matcher pid = Pattern.compile(Pattern.quote(name) + " +pid ([0-9]+)").matcher(err());
        if (!pid.find()) {
            throw new AssertionError("no process " + name + " in:\n" + err());
        }
        return ProcessHandle.of(Long.parseLong(pid.group(1))).orElseThrow();
    }

    /** Tells a process's whole command, with a NUL behind each word; the system's own handle has none of a long one. */
    static String commandOf(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    void signal(String name, ProcessHandle target) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, String.valueOf(target.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " " + target.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    int awaitExit() {
        awaitExit(PATIENCE_NS);
        return process.exitValue();
    }

    private void awaitExit(long patienceNs) {
        await("the end of naklab", patienceNs, () -> !process.isAlive());
    }

    void awaitGone(List<ProcessHandle> processes) {
        await("the end of " + processes, () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** The directory that the run's processes have in shared memory, by what the service was told. */
    Path sharedMemory() {
        String told = read(evidence().resolve("mds.json")).replaceAll("\\R", " ");
        try {
            String aeron =
                    Json.parse(told).path("transport").path("aeronDirectory").asText();
            return Path.of(aeron).resolve("..").normalize();
        } catch (JsonProcessingException e) {
            throw new AssertionError("no configuration: " + told, e);
        }
    }

    /** The first directory of a run whose processes have been started. */
    Path evidence() {
        try (Stream<Path> files = Files.walk(directory.resolve("runs"), 3)) {
            return files.filter(file -> Files.exists(file.resolve("mds.json")))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no run in " + directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE_NS, condition);
    }

    void await(String what, long patienceNs, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + patienceNs;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("waited " + TimeUnit.NANOSECONDS.toSeconds(patienceNs) + " s in vain for "
                        + what + " in " + directory + "; its output was:\n" + err() + out());
            }
            LockSupport.parkNanos(STEP_NS);
        }
    }

    /** The children of a lab that is no more end by themselves, and take their shared memory with them. */
    @Override
    public void close() {
        List<ProcessHandle> children = children();
        process.destroyForcibly();
        try {
            awaitGone(children);
        } finally {
            children.forEach(ProcessHandle::destroyForcibly);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the details of the first event of a type that a process reported in the latest run.
     *
     * @throws AssertionError it reported none
     */
    static JsonNode reported(Path runs, String type, String process) throws IOException {
        Path timeline = latest(runs).resolve("timeline.jsonl");
        for (String line : Files.readAllLines(timeline)) {
            JsonNode event = Json.parse(line);
            if (event.path("type").asText().equals(type)
                    && event.path("process").asText().equals(process)) {
                return event.path("details");
            }
        }
        throw new AssertionError("no " + type + " of " + process + " in " + timeline);
    }
}
