package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** An inconclusive run is repeated when that is wanted, and the runs of sudo belong to its user. */
@Matrix
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class RepeatedRunScenario {
    private static final String UID = "54321";

    @TempDir
    private Path directory;

    @Test
    void shouldRepeatARunOfWhichAProcessWasKilled() throws IOException {
        try (NaklabProcess naklab =
                NaklabProcess.runScenario("baseline", directory, "--rate", "500", "--duration", "3", "--retry", "1")) {
            naklab.await("the service", () -> service(naklab).findAny().isPresent());
            naklab.signal("KILL", service(naklab).findAny().orElseThrow());
            naklab.awaitExit();
            assertThat(naklab.err()).contains("the run is inconclusive; repeating it (1 of 1)");
            assertThat(naklab.out())
                    .containsSubsequence("UNKNOWN  baseline inconclusive", "killed by signal 9", "baseline");
            assertThat(runs()).hasSize(2);
        }
    }

    @Test
    void shouldGiveTheRunToTheUserOfSudo() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("only root gives files away")
                .isEqualTo("root");
        NaklabOutcome outcome = NaklabOutcome.passed("RepeatedRunScenario", this::runOfSudo);
        assertThat(outcome.err()).doesNotContain("still belongs to root");
        try (Stream<Path> files = Files.walk(directory.resolve("runs"))) {
            assertThat(files.filter(file -> !Files.isSymbolicLink(file)))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                            .as(file.toString())
                            .isEqualTo(Integer.valueOf(UID)));
        }
    }

    private NaklabOutcome runOfSudo() {
        List<String> sudo = List.of("env", "SUDO_UID=" + UID, "SUDO_GID=" + UID);
        try (NaklabProcess naklab =
                NaklabProcess.runScenario(sudo, "baseline", directory, "--rate", "500", "--duration", "1")) {
            return naklab.outcome();
        }
    }

    private static Stream<ProcessHandle> service(NaklabProcess naklab) {
        return naklab.children().stream()
                .filter(child -> NaklabProcess.commandOf(child).contains("/mds.json\0"));
    }

    private List<Path> runs() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs/baseline"))) {
            return runs.filter(run -> !Files.isSymbolicLink(run)).toList();
        }
    }
}
