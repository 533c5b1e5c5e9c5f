package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.process.Json;

/** The mystery as a user runs it. */
final class MysteryRuns {
    static final int ATTEMPTS = 6;

    private final Path directory;

    /** @param directory of the test's own */
    MysteryRuns(Path directory) {
        this.directory = directory;
    }

    /** The document of a run that passed, lost nothing, and kept a journal that verifies. */
    JsonNode pass(String... options) throws IOException {
        NaklabOutcome outcome = run(options);
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

    /**
     * What an audited run that passed says of its cause. A machine that takes the processors away between two links of the chain leaves it no
     * more than likely, which is what it should say then; such a run is made again too.
     */
    JsonNode diagnosis(String cause) throws IOException {
        return Again.whileInDoubt(
                ATTEMPTS,
                diagnosis -> diagnosis.path("confidence").asText().equals("likely"),
                () -> diagnosisOnce(cause));
    }

    private JsonNode diagnosisOnce(String cause) throws IOException {
        assertIncident(pass("--fidelity", "audited"), "audited", cause);
        return Json.read(NaklabProcess.latest(directory).resolve("diagnosis.json"), JsonNode.class);
    }

    NaklabOutcome run(String... options) throws IOException {
        return Again.whileInDoubt(ATTEMPTS, NaklabOutcome::isInDoubt, () -> runOnce(options));
    }

    NaklabOutcome runOnce(String... options) throws IOException {
        String[] withJson = Arrays.copyOf(options, options.length + 1);
        withJson[options.length] = "--json";
        try (NaklabProcess naklab = NaklabProcess.runScenario("mystery", directory, withJson)) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(naklab.sharedMemory()).isEmpty();
            return outcome;
        }
    }

    static void assertIncident(JsonNode document, String fidelity, String cause) {
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
}
