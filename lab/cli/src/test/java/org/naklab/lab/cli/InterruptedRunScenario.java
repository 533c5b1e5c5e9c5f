package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.testing.Live;

/** However a run ends, it leaves no process, no shared memory, and a journal that verifies. */
@Live(runs = 3)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class InterruptedRunScenario {
    private static final String[] LONG_RUN = {"--verbose", "--rate", "2000", "--duration", "600"};

    private static final int TIMELINE_DEPTH = 4;

    @TempDir
    private Path directory;

    /** A run that was interrupted after its stall ends in order, and its figures tell of the stall. */
    @Test
    void shouldEndInOrderAndTellOfTheStallOnCtrlC() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.runScenario("mystery", directory, "--duration", "600")) {
            naklab.awaitFlow();
            List<ProcessHandle> children = naklab.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(3);
            naklab.await("the injected stall", () -> timeline()
                    .contains("\"type\":\"DATAGRAMS_DROPPED\",\"process\":\"mds\""));
            naklab.signal("INT", naklab.handle());
            assertThat(naklab.awaitExit()).as(naklab.err()).isEqualTo(130);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(naklab.sharedMemory()).doesNotExist();
            assertThat(verifyJournal("mystery").passed()).isTrue();
            assertThat(naklab.out())
                    .contains("mds-context received nothing for")
                    .doesNotContain("stalls 0");
            assertThat(naklab.out() + naklab.err())
                    .contains("interrupted")
                    .doesNotContain(
                            "a record could not be read",
                            "the recorder's program",
                            NoLossChecks.NO_FINAL_REPORT,
                            "without a final report");
            JsonNode record =
                    Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
            assertThat(record.path("verdict").asText()).isEqualTo("unknown");
            assertThat(record.path("stalls"))
                    .anySatisfy(
                            stall -> assertThat(stall.path("process").asText()).isEqualTo("mds"));
        }
    }

    /** Empty until the run has one. */
    private String timeline() {
        try (var files = Files.find(directory, TIMELINE_DEPTH, (file, attributes) -> file.endsWith("timeline.jsonl"))) {
            return files.findFirst().map(NaklabProcess::read).orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldLeaveNothingWhenTheLabIsKilled() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, LONG_RUN)) {
            naklab.awaitFlow();
            List<ProcessHandle> children = naklab.children();
            naklab.signal("KILL", naklab.handle());
            naklab.awaitGone(children);
            assertThat(naklab.sharedMemory()).doesNotExist();
            assertThat(verifyJournal("baseline").passed()).isTrue();
        }
    }

    @Test
    void shouldCleanUpAfterChildThatIsKilled() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, LONG_RUN)) {
            naklab.awaitFlow();
            List<ProcessHandle> children = naklab.children();
            naklab.signal("KILL", naklab.child("mds"));
            assertThat(naklab.awaitExit()).as(naklab.err()).isEqualTo(2);
            assertThat(naklab.out()).contains("mds (pid ").contains("killed by signal 9");
            JsonNode record =
                    Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
            assertThat(record.path("verdict").asText()).isEqualTo("unknown");
            assertThat(record.path("diagnosis").asText()).isNotEqualTo("clean");
            assertThat(record.path("conditions"))
                    .filteredOn(condition -> condition.path("claim").asText().equals("run completed"))
                    .anySatisfy(condition -> {
                        assertThat(condition.path("verdict").asText()).isEqualTo("unknown");
                        assertThat(condition.path("figures").asText()).contains("mds (pid ", "killed by signal 9");
                    });
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(naklab.sharedMemory()).doesNotExist();
            assertThat(verifyJournal("baseline").duplicates()).isZero();
            assertThat(verifyJournal("baseline").missing()).isZero();
        }
    }

    private Verification verifyJournal(String scenario) throws IOException {
        try (var runs = Files.newDirectoryStream(directory.resolve("runs").resolve(scenario), "*-42")) {
            return JournalVerifier.verify(runs.iterator().next().resolve("journal"));
        }
    }
}
