package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.architecture.Jdks;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Live;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.TestFiles;

@Live(runs = 3)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class BaselineScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldPassWithSyntheticFlow() throws IOException {
        JsonNode document = pass("--rate", "2000", "--duration", "1.5", "--seed", "7");
        assertThat(document.path("messages").path("published").asLong()).isPositive();
        assertThat(document.path("seed").asLong()).isEqualTo(7);
        assertSilent();
    }

    @Test
    @Matrix
    void shouldPassWithBurstyFlow() throws IOException {
        pass("--rate", "2000", "--duration", "1.5", "--arrival", "bursty");
    }

    @Test
    @Matrix
    void shouldPassWithLobsterFile() throws IOException {
        JsonNode document = pass("--source", TestFiles.aaplMessages(directory).toString());
        assertThat(document.path("messages").path("published").asLong()).isEqualTo(600);
    }

    @Test
    void shouldPassWithItchFile() throws IOException {
        Path file = directory.resolve("made.itch");
        long events = new ItchFileBuilder().orders(200).write(file);
        JsonNode document = pass("--source", file.toString(), "--profile", "aeron");
        assertThat(document.path("messages").path("published").asLong()).isEqualTo(events);
        assertThat(document.path("profile").asText()).isEqualTo("aeron");
    }

    /** No JDK that it is for makes a process of the replica say anything: its log, which is its standard error, is empty. */
    @ParameterizedTest
    @ValueSource(ints = 25)
    void shouldPassSilentlyOnANewerJdk(int feature) throws IOException {
        Path java = Jdks.find(feature).orElse(null);
        assumeThat(java).as("a JDK %d to run it on", feature).isNotNull();
        if (java != null) {
            Installation here = Installation.current();
            pass(here.with(java), "--rate", "500", "--duration", "1");
            assertSilent();
        }
    }

    private void assertSilent() throws IOException {
        try (Stream<Path> files = Files.list(NaklabProcess.latest(directory))) {
            assertThat(files.filter(file -> file.toString().endsWith(".log")))
                    .hasSize(3)
                    .allSatisfy(log -> assertThat(log).isEmptyFile());
        }
    }

    private JsonNode pass(String... options) throws IOException {
        return pass(Installation.current(), options);
    }

    private JsonNode pass(Installation installation, String... options) throws IOException {
        String[] withJson = Arrays.copyOf(options, options.length + 1);
        withJson[options.length] = "--json";
        NaklabOutcome outcome = LiveRun.make("BaselineScenario", () -> runOnce(installation, withJson));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode document = outcome.document();
        assertContract(document);
        assertThat(JournalVerifier.verify(NaklabProcess.latest(directory).resolve("journal"))
                        .passed())
                .isTrue();
        assertRecorded(document);
        ReplayedCase.assertSame(NaklabProcess.latest(directory));
        return document;
    }

    private NaklabOutcome runOnce(Installation installation, String... options) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(installation, directory, options)) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(naklab.sharedMemory()).doesNotExist();
            return outcome;
        }
    }

    private static void assertContract(JsonNode document) {
        assertThat(document.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "scenario",
                        "fidelity",
                        "remedy",
                        "profile",
                        "seed",
                        "verdict",
                        "diagnosis",
                        "messages",
                        "naks",
                        "datagramsDropped",
                        "retransmits",
                        "blockedSends",
                        "maxSocketDepthBytes",
                        "stalls",
                        "runDirectory");
        JsonNode messages = document.path("messages");
        assertThat(messages.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "published", "received", "journaled", "missing", "duplicated", "reordered", "receivers");
        assertThat(document.path("verdict").asText()).isEqualTo("pass");
        assertThat(messages.path("received").asLong())
                .isEqualTo(messages.path("published").asLong())
                .isEqualTo(messages.path("journaled").asLong());
        assertThat(document.path("naks").asLong()).isZero();
    }

    private void assertRecorded(JsonNode document) throws IOException {
        Path run = NaklabProcess.latest(directory);
        assertThat(run.toRealPath())
                .hasToString(Path.of(document.path("runDirectory").asText())
                        .toRealPath()
                        .toString());
        assertThat(run).isDirectoryContaining("glob:**timeline.jsonl").isDirectoryContaining("glob:**mds.log");
        JsonNode record = parse(run.resolve("run.json"));
        assertThat(record.path("messages")).isEqualTo(document.path("messages"));
        assertThat(record.path("environment").path("jdk").asText()).isNotEmpty();
        if (Files.exists(Installation.current().root().resolve(".git"))) {
            assertThat(record.path("environment").path("commit").asText()).matches("[0-9a-f]{7,40}");
        } else {
            assertThat(record.path("environment").path("commit").asText("")).isEmpty();
        }
        JsonNode settings = record.path("environment").path("settings");
        assertThat(settings.path("commandLine").asText())
                .isEqualTo(Files.readString(Path.of("/proc/cmdline")).strip());
        for (Map.Entry<String, JsonNode> mitigation :
                settings.path("mitigations").properties()) {
            assertThat(Path.of("/sys/devices/system/cpu/vulnerabilities", mitigation.getKey()))
                    .hasContent(mitigation.getValue().asText());
        }
        assertThat(settings.path("irqAffinity").isObject()).isTrue();
        assertThat(record.path("conditions")).isNotEmpty();
    }

    private static JsonNode parse(Path file) throws IOException {
        try {
            return Json.parse(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new AssertionError(file + " is no JSON", e);
        }
    }
}
