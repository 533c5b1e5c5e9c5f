package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.process.Json;

/**
 * The mystery as a user runs it. A machine that takes the processors away leaves a run without a verdict, which is what a run
 * should say then; such a run is made again, a bounded number of times.
 */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class MysteryScenario {
    private static final int ATTEMPTS = 4;
    private static final long MAX_BIND_DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    @TempDir
    private Path directory;

    /** What a run left behind. */
    private record Outcome(int exitCode, JsonNode document, String err) {}

    @Test
    void shouldReproduceTheIncident() throws IOException {
        JsonNode document = pass("--fidelity", "audited");
        assertIncident(document, "audited", "late-binding-delay");
        assertChain(Json.read(NaklabProcess.latest(directory).resolve("diagnosis.json"), JsonNode.class));
    }

    @Test
    void shouldReproduceTheIncidentSimulated() throws IOException {
        JsonNode document = pass("--fidelity", "simulated");
        assertIncident(document, "simulated", "late-binding-simulated");
    }

    @Test
    void shouldBeCuredByBindNow() throws IOException {
        assertCured(pass("--fidelity", "audited", "--remedy", "bind-now"));
    }

    @Test
    void shouldBeCuredByPreTouch() throws IOException {
        assertCured(pass("--fidelity", "audited", "--remedy", "pre-touch"));
    }

    @Test
    void shouldBeCuredByApplicationRateLimit() throws IOException {
        assertCured(pass("--fidelity", "audited", "--remedy", "application-rate-limit"));
    }

    @Test
    void shouldOnlyBeHiddenByABiggerBuffer() throws IOException {
        Outcome outcome = run("--fidelity", "audited", "--remedy", "bigger-buffer");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.document().path("stalls").findValuesAsText("thread")).containsOnlyOnce("mds-context");
        assertThat(outcome.document().path("naks").asLong()).isZero();
        assertThat(outcome.err()).contains("hidden, not cured");
    }

    @Test
    void shouldHaveNoVerdictWhereTheLimiterNeverTrips() throws IOException {
        Outcome outcome = runOnce("--fidelity", "audited", "--instruments", "1");
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.document().path("verdict").asText()).isEqualTo("unknown");
        assertThat(outcome.document().path("stalls")).isEmpty();
        assertThat(outcome.err()).contains("the rate limit was never hit");
    }

    private static void assertIncident(JsonNode document, String fidelity, String cause) {
        assertThat(document.path("fidelity").asText()).isEqualTo(fidelity);
        assertThat(document.path("diagnosis").asText()).isEqualTo(cause);
        assertThat(document.path("datagramsDropped").asLong()).isPositive();
        assertThat(document.path("naks").asLong()).isPositive();
        assertThat(document.path("retransmits").asLong()).isPositive();
        assertThat(document.path("stalls")).anySatisfy(stall -> {
            assertThat(stall.path("cause").asText()).isEqualTo(cause);
            assertThat(stall.path("thread").asText()).isEqualTo("mds-context");
        });
    }

    /** From the rate limit to the repair, and that bind and stall begin together: what a claim about the cause stands on. */
    private static void assertChain(JsonNode diagnosis) {
        JsonNode chain = diagnosis.path("chain");
        assertThat(chain.findValuesAsText("link"))
                .containsExactly(
                        "RATE_LIMIT_HIT",
                        "WAKE_FAILED",
                        "SYMBOL_BOUND",
                        "STALL",
                        "SOCKET_DEPTH_RISE",
                        "DATAGRAMS_DROPPED",
                        "NAK_SENT",
                        "RETRANSMIT_RECEIVED",
                        "REPAIRED");
        assertThat(chain).allSatisfy(link -> {
            assertThat(link.path("present").asBoolean()).as("%s", link).isTrue();
            assertThat(link.path("inOrder").asBoolean()).as("%s", link).isTrue();
        });
        long bindNs = chain.path(2).path("atNs").asLong();
        long stallNs = chain.path(3).path("atNs").asLong();
        assertThat(Math.abs(bindNs - stallNs))
                .as("ns between the bind's beginning and the stall's")
                .isLessThanOrEqualTo(MAX_BIND_DISTANCE_NS);
    }

    private static void assertCured(JsonNode document) {
        assertThat(document.path("diagnosis").asText()).isEqualTo("clean");
        assertThat(document.path("naks").asLong()).isZero();
        assertThat(document.path("datagramsDropped").asLong()).isZero();
    }

    private JsonNode pass(String... options) throws IOException {
        Outcome outcome = run(options);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode messages = outcome.document().path("messages");
        assertThat(messages.path("missing").asLong()).isZero();
        assertThat(messages.path("journaled").asLong())
                .isEqualTo(messages.path("published").asLong());
        assertThat(JournalVerifier.verify(NaklabProcess.latest(directory).resolve("journal"))
                        .passed())
                .isTrue();
        return outcome.document();
    }

    private Outcome run(String... options) throws IOException {
        Outcome outcome = runOnce(options);
        for (int i = 1; i < ATTEMPTS && outcome.exitCode() == 2; i++) {
            outcome = runOnce(options);
        }
        return outcome;
    }

    private Outcome runOnce(String... options) throws IOException {
        String[] withJson = java.util.Arrays.copyOf(options, options.length + 1);
        withJson[options.length] = "--json";
        try (NaklabProcess naklab = NaklabProcess.runScenario("mystery", directory, withJson)) {
            int code = naklab.awaitExit();
            assertThat(naklab.sharedMemory()).isEmpty();
            return new Outcome(code, Json.parse(naklab.out()), naklab.err());
        }
    }
}
