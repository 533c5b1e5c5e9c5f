package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.ProcessIdentity;

/** A {@link DoomedLab}, its guard and its clients of the engine, each of which can be killed; all of its files in one directory. */
final class LabProcess implements AutoCloseable {
    static final Set<String> FAULTS = DoomedLab.faultsOf("any").keySet();

    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(3);

    private final Path directory;
    private final Path state;
    private final Path gate;
    private final Process process;
    private final BufferedReader output;
    private final TargetProcess target;

    LabProcess(Path directory, String container, String stop) throws IOException {
        this.directory = directory;
        state = Files.createDirectory(directory.resolve("state"));
        gate = Files.createDirectory(directory.resolve("gate"));
        putClient();
        ProcessBuilder builder = jvm(container);
        builder.environment().put("NAKLAB_STOP", stop);
        process = builder.start();
        target = TargetProcess.of(process.pid());
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    private void putClient() throws IOException {
        Path client = gate.resolve("docker");
        try (InputStream script = LabProcess.class.getResourceAsStream("stopping-docker.sh")) {
            Files.copy(script, client);
        }
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
    }

    private ProcessBuilder jvm(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("naklab.root"), "lab/src/main/dist/jvm.options"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Dnaklab.state.directory=" + state,
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                DoomedLab.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        String path = System.getenv("PATH");
        builder.environment().put("PATH", gate + ":" + path);
        builder.environment().put("NAKLAB_CLIENT", client(path));
        builder.environment().put("NAKLAB_GATE", gate.toString());
        return builder;
    }

    private static String client(String path) {
        return Stream.of(path.split(":", -1))
                .map(each -> Path.of(each, "docker"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow()
                .toString();
    }

    String identity() {
        ProcessIdentity self = ProcessIdentity.current();
        return new ProcessIdentity(self.bootId(), self.machineId(), self.pidNamespace(), target).text();
    }

    /** Reads the next lines that it prints. */
    List<String> readLines(int count) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("the lab ended; before that it said " + lines);
            }
            lines.add(line);
        }
        return lines;
    }

    void disarm() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append("disarm\n").flush();
        assertThat(readLines(1)).containsExactly("disarmed");
    }

    void end() throws IOException {
        process.getOutputStream().close();
    }

    void awaitStoppedClients() {
        await("a client stopped at each fault", () -> FAULTS.stream()
                .allMatch(fault -> Files.exists(gate.resolve("reached-" + fault))));
    }

    void releaseClients() throws IOException {
        Files.createFile(gate.resolve("go"));
    }

    /** Those that have stopped, and those that run on with a tool. */
    void killClients() {
        List<ProcessHandle> clients = process.descendants()
                .filter(each -> commandOf(each).contains("docker") && !isGuard(each))
                .toList();
        assertThat(clients).isNotEmpty();
        clients.forEach(ProcessHandle::destroyForcibly);
    }

    void kill() {
        process.destroyForcibly();
        await("the lab is gone", () -> !process.isAlive());
    }

    void stop() throws IOException {
        new ProcessBuilder("kill", "-STOP", String.valueOf(process.pid())).start();
        await("the lab stands still", () -> target.state() == 'T');
    }

    void killGuard() {
        kill(guards().findFirst().orElseThrow());
    }

    /** Kills the guard that is no child of the lab. */
    void killSecondGuard() {
        List<ProcessHandle> children = process.children().toList();
        kill(processes().stream()
                .filter(each -> isGuard(each) && !children.contains(each))
                .findFirst()
                .orElseThrow());
    }

    private static void kill(ProcessHandle guard) {
        guard.destroyForcibly();
        await(
                "the guard is gone",
                () -> !guard.isAlive() || TargetProcess.of(guard.pid()).state() == 'Z');
    }

    void awaitGuard() {
        await("another guard is there", () -> guards().findAny().isPresent());
    }

    private Stream<ProcessHandle> guards() {
        return process.children().filter(LabProcess::isGuard);
    }

    private static boolean isGuard(ProcessHandle handle) {
        return commandOf(handle).contains("naklab-guard");
    }

    /** All of it; {@link ProcessHandle.Info} cuts it off after a page. */
    private static String commandOf(ProcessHandle handle) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(handle.pid()), "cmdline"));
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    /** All of its processes have its directory in their command lines. */
    void awaitNoProcess() {
        await("no process is left", () -> processes().isEmpty());
    }

    private List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(each -> commandOf(each).contains(directory.toString()))
                .toList();
    }

    /** What it has left in its directory. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> !file.startsWith(gate)
                            && !file.equals(directory)
                            && !file.equals(state)
                            && !file.equals(state.resolve("promises")))
                    .toList();
        }
    }

    /** Why promises are open. */
    String ledgers() {
        try (Stream<Path> ledgers = Files.list(state.resolve("promises"))) {
            StringBuilder text = new StringBuilder();
            for (Path ledger : ledgers.toList()) {
                Files.readAllLines(ledger).stream()
                        .filter(line -> line.startsWith("!"))
                        .forEach(line -> text.append(line).append('\n'));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a lab says that is started now. */
    List<String> undoAtNextStart() throws IOException {
        Process next = jvm().start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(next.getInputStream(), StandardCharsets.UTF_8))) {
            return said.lines().toList();
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - beganNs > TIMEOUT_NS) {
                throw new AssertionError("never came: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!Files.exists(gate.resolve("go"))) {
                releaseClients();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitNoProcess();
    }
}
