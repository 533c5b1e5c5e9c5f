package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** A lab that is killed together with its guard leaves its faults; the next run undoes them before it begins. */
@Matrix
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class UndoneFaultsScenario {
    @TempDir
    private Path directory;

    private Path state;
    private Path file;
    private Process victim;
    private TargetProcess target;

    @BeforeEach
    void startVictim() throws IOException {
        state = directory.resolve("state");
        file = Files.createFile(directory.resolve("left"));
        victim = new ProcessBuilder("sleep", "3600").start();
        target = TargetProcess.of(victim.pid());
    }

    @AfterEach
    void endVictim() {
        victim.destroyForcibly();
    }

    @Test
    void shouldBeUndoneByTheNextRun() throws IOException {
        leaveFaults();
        assertThat(target.state()).as("nobody has undone it").isEqualTo('T');
        assertThat(file).exists();

        NaklabOutcome refused = run("--remedy", "bind-now");
        assertThat(refused.exitCode()).isEqualTo(64);
        assertThat(refused.err().lines()).as("a refusal").hasSize(1);
        assertThat(target.state()).as("a refused run undoes nothing").isEqualTo('T');

        NaklabOutcome outcome = run();

        assertThat(outcome.err().lines())
                .contains(
                        "undid a fault of a killed lab: cont " + target.pid() + " " + target.startTicks(),
                        "undid a fault of a killed lab: delete " + file);
        assertThat(target.state()).isNotEqualTo('T');
        assertThat(file).doesNotExist();
        assertThat(outcome.out()).containsPattern("\\d+ of \\d+ conditions hold");
        try (Stream<Path> left = Files.walk(state)) {
            assertThat(left.filter(Files::isRegularFile)).as("promises").isEmpty();
        }
        assertThat(NaklabOutcome.passed("UndoneFaultsScenario", this::run).err())
                .as("of a second run")
                .doesNotContain("killed lab");
    }

    /** All at once: the lab replaces a guard that is killed, and a guard undoes what a killed lab has left. */
    private void leaveFaults() throws IOException {
        try (NaklabProcess lab = NaklabProcess.of(
                command(PromisingLab.class, String.valueOf(target.pid()), file.toString()), made("killed"))) {
            lab.await(
                    "promises",
                    () -> lab.out().contains("promised") || !lab.handle().isAlive());
            lab.signal("STOP", victim.toHandle());
            lab.await("the end of the victim's work", () -> target.state() == 'T');
            lab.signal("STOP", lab.handle());
            TargetProcess its = TargetProcess.of(lab.handle().pid());
            lab.await("the end of the lab's work", () -> its.state() == 'T');
            List<ProcessHandle> guards = guards();
            assertThat(guards).as("the guard and the second one: " + lab.err()).hasSizeGreaterThan(1);
            for (ProcessHandle guard : guards) {
                lab.signal("KILL", guard);
            }
            lab.signal("KILL", lab.handle());
            lab.awaitGone(List.of(lab.handle()));
            lab.awaitGone(guards);
        }
    }

    /** The ledgers are in the state directory, and the commands of the guards name them. */
    private List<ProcessHandle> guards() {
        return ProcessHandle.allProcesses()
                .filter(each -> NaklabProcess.commandOf(each).contains("naklab-guard"))
                .filter(each -> NaklabProcess.commandOf(each).contains(state.toString()))
                .toList();
    }

    private NaklabOutcome run(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "baseline",
                "--port",
                String.valueOf(FreePorts.pair()),
                "--runs",
                directory.resolve("runs").toString(),
                "--rate",
                "500",
                "--duration",
                "1"));
        arguments.addAll(List.of(more));
        List<String> command = command(Naklab.class, arguments.toArray(String[]::new));
        try (NaklabProcess naklab = NaklabProcess.of(command, made("next"))) {
            return naklab.outcome();
        }
    }

    private List<String> command(Class<?> mainClass, String... arguments) {
        return Installation.current()
                .withOwnClassPath()
                .command(List.of("-Dnaklab.state.directory=" + state), mainClass, List.of(arguments));
    }

    private Path made(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }
}
