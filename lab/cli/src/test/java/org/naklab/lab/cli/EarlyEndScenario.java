package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;

/** A run that does not come to its end is in the history too, without a verdict and with the reason. */
@Live(runs = 1)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class EarlyEndScenario {
    private static final String[] LONG_RUN = {"--rate", "500", "--duration", "600"};

    @TempDir
    private Path directory;

    @Test
    void shouldKeepARunWhoseLabWasKilled() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, LONG_RUN)) {
            naklab.await("a process of the run", () -> naklab.children().size() >= 3);
            assertThat(rows(history())).as("a run that goes on").isEmpty();
            List<ProcessHandle> children = naklab.children();
            naklab.signal("KILL", naklab.handle());
            naklab.awaitGone(children);
        }
        assertUnknown("ended without a verdict");
        assertUnknown("ended without a verdict");
    }

    @Test
    @Matrix
    void shouldKeepARunThatIsEndedWhileItStarts() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, LONG_RUN)) {
            naklab.await("a process of the run", () -> naklab.children().size() >= 3);
            naklab.signal("TERM", naklab.handle());
            assertThat(naklab.awaitExit()).as(naklab.err()).isEqualTo(143);
        }
        assertUnknown("interrupted");
    }

    @Test
    @Matrix
    void shouldKeepARunOfWhichAProcessDiesAtItsStart() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, LONG_RUN)) {
            naklab.await("a process of the run", () -> naklab.children().size() >= 3);
            naklab.signal("KILL", naklab.children().get(0));
            assertThat(naklab.awaitExit()).as(naklab.err()).isEqualTo(2);
        }
        assertUnknown("killed by signal 9");
    }

    /** Room for the files of a run's beginning, and for no more. */
    @Test
    @Matrix
    void shouldNotBeginARunWithoutRoomForIt() throws IOException, InterruptedException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        List<String> mounted = List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=64k naklab \"$0\" && exec \"$@\"",
                runs.toString());
        assumeThat(succeeds("unshare", "--mount", "true"))
                .as("mounts of its own")
                .isTrue();
        String url = "jdbc:sqlite:" + directory.resolve("elsewhere.db");
        try (NaklabProcess naklab = NaklabProcess.runScenario(
                mounted, "baseline", directory, "--rate", "500", "--duration", "1", "--history", url)) {
            assertThat(naklab.awaitExit()).as(naklab.err()).isEqualTo(69);
            assertThat(naklab.err()).hasLineCount(1).contains("no room for a run: ");
        }
    }

    private void assertUnknown(String reason) throws JsonProcessingException {
        assertThat(rows(history())).singleElement().satisfies(row -> {
            assertThat(row.path("scenario").asText()).isEqualTo("baseline");
            assertThat(row.path("verdict").asText()).isEqualTo("unknown");
            assertThat(row.path("reason").asText()).contains(reason);
        });
    }

    private CommandLineRun history() {
        return CommandLineRun.of(
                "history", "--json", "--runs", directory.resolve("runs").toString());
    }

    private static List<JsonNode> rows(CommandLineRun history) throws JsonProcessingException {
        if (history.err().contains("no history yet")) {
            return List.of();
        }
        assertThat(history.exitCode()).as(history.err()).isZero();
        return List.copyOf(Json.parse(history.out()).path("runs").findParents("verdict"));
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }
}
