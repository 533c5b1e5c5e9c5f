package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Live;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** Faults that the user adds to a run. */
@Live(runs = 1)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class AddedFaultScenario {
    /** The largest exit code of a run with a record. */
    private static final int UNKNOWN = 2;

    @TempDir
    private Path directory;

    @Test
    void shouldProveAddedFaultsAndPass() throws IOException {
        NaklabOutcome outcome = LiveRun.make(
                "AddedFaultScenario",
                () -> run(
                        "--fault",
                        "slow-callback:delay=60ms,maxCalls=1@+500ms",
                        "--fault",
                        "process-pause:on=gateway-1,for=100ms@+1s@second-boundary",
                        "--fault",
                        "datagram-loss:gaps=100+3,on=gateway-1",
                        "--fault",
                        "stall:stall=50ms@second-boundary+400ms"));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();

        JsonNode record = record();
        JsonNode service = subscriber(record, "mds").path("faults").path("added-slow-callback");
        assertThat(service.path("armed").asBoolean()).isTrue();
        assertThat(service.path("proof").path("fired").asBoolean()).isTrue();
        assertThat(service.path("proof").path("figures").path("firings").asLong())
                .isEqualTo(1);
        JsonNode loss = subscriber(record, "gateway-1").path("faults").path("added-datagram-loss");
        assertThat(loss.path("proof").path("figures").path("firings").asLong()).isEqualTo(3);
        assertThat(verdictOf(record, "added fault: slow-callback on mds")).isEqualTo("pass");
        assertThat(verdictOf(record, "added fault: process-pause on gateway-1")).isEqualTo("pass");
        assertThat(verdictOf(record, "added fault: datagram-loss on gateway-1")).isEqualTo("pass");
        assertThat(verdictOf(record, "added fault: stall on mds")).isEqualTo("pass");
        // Not predicted with a fault that fired.
        assertThat(verdictOf(record, "gateway-1 sent no NAK")).isEmpty();
        assertThat(record.path("plan").path("addedFaults").findValuesAsText("id"))
                .containsExactly("added-slow-callback", "added-process-pause", "added-datagram-loss", "added-stall");
        assertThat(record.path("replay").asText()).contains(" --fault slow-callback:delay=60ms,maxCalls=1@+500ms ");
    }

    /** Its stream does not exist: the run shows nothing about the fault, and says so. */
    @Test
    @Matrix
    void shouldDoubtARunWhoseAddedFaultNothingCameBy() throws IOException {
        NaklabOutcome outcome = run("--fault", "datagram-loss:probability=100%,streamId=99");
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isEqualTo(2);
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("UNKNOWN")
                .contains("added fault: datagram-loss on mds")
                .containsPattern(
                        "datagram-loss on mds did not fire: none of \\d+ datagrams that came by was INBOUND DATA of "
                                + "stream 99; see '\\S*naklab faults");
        JsonNode record = record();
        assertThat(verdictOf(record, "added fault: datagram-loss on mds")).isEqualTo("unknown");
        assertThat(verdictOf(record, "mds sent no NAK")).isNotEmpty();
    }

    @Test
    @Matrix
    void shouldRunAPlanFromAFile() throws IOException {
        Path plan = Files.writeString(directory.resolve("plan.json"), """
                {"faults": [{"kind": "gc-pause", "on": "mds", "when": {"afterMs": 300}, "parameters": {"liveMib": 8}}]}
                """);
        NaklabOutcome outcome = LiveRun.make("AddedFaultScenario", () -> run("--plan", plan.toString()));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        assertThat(verdictOf(record(), "added fault: gc-pause on mds")).isEqualTo("pass");
    }

    @Test
    void shouldRefuseATargetThatTheRunDoesNotHave() throws IOException {
        NaklabOutcome outcome = run("--fault", "gc-pause:on=mdz");
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isEqualTo(64);
        assertThat(outcome.err()).contains("is on 'mdz', which is no process of this run; did you mean mds?");
    }

    private NaklabOutcome run(String... options) throws IOException {
        String[] all = new String[options.length + 4];
        System.arraycopy(new String[] {"--rate", "2000", "--duration", "4"}, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        try (NaklabProcess naklab = NaklabProcess.run(directory, all)) {
            NaklabOutcome outcome = naklab.outcome();
            if (outcome.exitCode() <= UNKNOWN) {
                ReplayedCase.assertSame(NaklabProcess.latest(directory));
            }
            return outcome;
        }
    }

    private JsonNode record() throws IOException {
        try {
            return Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
        } catch (JsonProcessingException e) {
            throw new AssertionError("run.json is no JSON", e);
        }
    }

    private static JsonNode subscriber(JsonNode record, String name) {
        for (JsonNode subscriber : record.path("subscribers")) {
            if (subscriber.path("name").asText().equals(name)) {
                return subscriber;
            }
        }
        throw new AssertionError("no subscriber " + name + " in " + record.path("subscribers"));
    }

    /** Empty if the condition was not checked. */
    private static String verdictOf(JsonNode record, String claim) {
        for (JsonNode condition : record.path("conditions")) {
            if (condition.path("claim").asText().equals(claim)) {
                return condition.path("verdict").asText();
            }
        }
        return "";
    }
}
