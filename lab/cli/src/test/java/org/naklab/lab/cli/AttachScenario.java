package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.core.Json;
import org.naklab.testing.Contained;
import org.naklab.testing.LiveRun;
import org.naklab.testing.host.ComposeCommand;
import org.naklab.testing.host.ContainerEngine;

/** The path of a person with a laptop: the composition up, runs in it, the composition down. */
@Contained
@ExtendWith({ContainerEngine.class, ComposeCommand.class})
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AttachScenario {
    private final String project = "naklab-test-" + ProcessHandle.current().pid();

    private Path directory = Path.of("");
    private Map<String, String> environment = Map.of();
    private int port;

    /** Once for all tests: it takes longer than a run. */
    @BeforeAll
    void up(@TempDir Path directory) throws IOException {
        this.directory = directory;
        Path runs = Files.createDirectories(directory.resolve("runs"));
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        environment = Map.of("NAKLAB_RUNS", runs.toString(), "NAKLAB_PORT", String.valueOf(port));
        ComposeCommand.run(project, environment, "up", "-d", "--no-build");
    }

    @AfterAll
    void down() {
        ComposeCommand.run(project, environment, "down", "-v");
        assertThat(left()).as("what compose left at the engine").isEmpty();
    }

    @Test
    void shouldReplayTheIncidentInARunningComposition() throws IOException, InterruptedException {
        JsonNode document = pass("mystery");
        assertThat(document.path("fidelity").asText()).isEqualTo("audited");
        assertThat(document.path("diagnosis").asText()).isEqualTo("late-binding-delay");
        assertThat(document.path("datagramsDropped").asLong()).isPositive();
        assertThat(document.path("naks").asLong()).isPositive();
        assertThat(journalIsWhole()).isTrue();
        assertThat(ComposeCommand.run(project, environment, "logs", "mds"))
                .contains("mds: stands by")
                .contains("mds: run mystery/")
                .contains("exit code 0");

        JsonNode second = pass("baseline", "--duration", "3");
        assertThat(second.path("messages").path("journaled").asLong())
                .isEqualTo(second.path("messages").path("published").asLong());
        assertThat(journalIsWhole()).isTrue();
        assertThat(dashboard()).contains("data-scenario=\"mystery\"").contains("data-scenario=\"baseline\"");
    }

    /** The same claims as on the bare machine, by the same account; the engine's limit is back afterwards. */
    @Test
    void shouldFillThePageCacheOfTheServicesContainer() throws IOException {
        long limitBefore = memoryLimitBytes("mds");
        JsonNode document = pass("memory-pressure");
        JsonNode account = NaklabProcess.reported(directory, "MEMORY_ACCOUNTED", "mds");
        assertThat(document.path("verdict").asText()).isEqualTo("pass");
        assertThat(account.path("limitBytes").asLong()).isLessThan(limitBefore);
        assertThat(account.path("limitHits").asLong()).isPositive();
        assertThat(account.path("lowestFreeBytes").asLong()).isLessThan(4L << 20);
        assertThat(account.path("refaultedPages").asLong()).isPositive();
        assertThat(memoryLimitBytes("mds")).isEqualTo(limitBefore);
    }

    /** What becomes of the run depends on the machine; that the fault acts in the container, and its proof, does not. */
    @Test
    void shouldLoseTheDatagramsOfOneContainer() throws IOException {
        NaklabOutcome outcome =
                runOnce("baseline", "--duration", "8", "--fault", "network-loss:percent=1%,on=gateway-1");
        JsonNode proof = Json.parse(
                        Files.readAllBytes(NaklabProcess.latest(directory).resolve("run.json")))
                .at("/outsideFaults/added-network-loss/proof");

        assertThat(proof.path("fired").asBoolean()).as(outcome.err()).isTrue();
        assertThat(proof.at("/figures/datagramsDropped").asLong()).isPositive();
        assertThat(outcome.err()).contains("added fault network-loss on gateway-1");
    }

    /** Nobody is left to end them: their standard input does. */
    @Test
    void shouldLeaveNoReplicaWhenTheLabIsKilled() throws IOException {
        try (NaklabProcess naklab = attach("baseline", "--duration", "600")) {
            naklab.awaitFlow();
            assertThat(processes("mds")).contains("java");
            naklab.signal("KILL", naklab.handle());
            naklab.await(
                    "the end of the service's process", () -> !processes("mds").contains("java"));
            naklab.await("the end of the exchange's process", () -> !processes("exchange")
                    .contains("java"));
        }
        assertThat(pass("baseline", "--duration", "3").path("verdict").asText()).isEqualTo("pass");
    }

    @Test
    void shouldRefuseASecondRunAndLeaveTheFirstAlone() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("second"));
        try (NaklabProcess first = attach("baseline", "--duration", "12")) {
            first.awaitFlow();
            try (NaklabProcess second =
                    NaklabProcess.runScenario("baseline", elsewhere, "--attach", "--project", project)) {
                assertThat(second.awaitExit()).isEqualTo(69);
                assertThat(second.err()).contains("another run is active in the composition " + project);
            }
            first.awaitExit();
        }
        assertThat(journalIsWhole()).isTrue();
    }

    private JsonNode pass(String scenario, String... options) throws IOException {
        NaklabOutcome outcome = LiveRun.make("AttachScenario", () -> runOnce(scenario, options));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return outcome.document();
    }

    private NaklabOutcome runOnce(String scenario, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--json");
        try (NaklabProcess naklab = attach(scenario, all.toArray(String[]::new))) {
            return naklab.outcome();
        }
    }

    private NaklabProcess attach(String scenario, String... options) {
        List<String> all = new ArrayList<>(List.of("--attach", "--project", project));
        all.addAll(List.of(options));
        return NaklabProcess.runScenario(scenario, directory, all.toArray(String[]::new));
    }

    private boolean journalIsWhole() {
        return JournalVerifier.verify(NaklabProcess.latest(directory).resolve("journal"))
                .passed();
    }

    private String dashboard() throws IOException, InterruptedException {
        HttpRequest calendar = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .build();
        return HttpClient.newHttpClient()
                .send(calendar, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private String processes(String service) {
        return Docker.run("top", container(service), "-eo", "pid,comm");
    }

    private long memoryLimitBytes(String service) {
        return Long.parseLong(Docker.run("inspect", "--format", "{{.HostConfig.Memory}}", container(service)));
    }

    private String container(String service) {
        return Docker.run(
                "ps",
                "--quiet",
                "--filter",
                "label=com.docker.compose.project=" + project,
                "--filter",
                "label=com.docker.compose.service=" + service);
    }

    private String left() {
        String label = "label=com.docker.compose.project=" + project;
        return Docker.run("ps", "--all", "--quiet", "--filter", label)
                + Docker.run("volume", "ls", "--quiet", "--filter", label)
                + Docker.run("network", "ls", "--quiet", "--filter", label);
    }
}
