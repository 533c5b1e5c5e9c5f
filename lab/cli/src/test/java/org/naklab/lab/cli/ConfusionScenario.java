package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.scenarios.experiment.CausePair;
import org.naklab.testing.Matrix;

/** Each cause is injected once and diagnosed; what the machine cannot make is left out with a reason. */
@Matrix
@Timeout(400)
final class ConfusionScenario {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slow-callback",
                "cpu-preemption",
                "traffic-burst",
                "gc-or-safepoint",
                "time-to-safepoint",
                "network-loss",
                "network-delay",
                "network-reordering",
                "network-duplication",
                "slow-consumer",
                "process-paused",
                "kernel-interference",
                "machine-stalled"
            })
    void shouldDiagnoseWhatWasInjected(String cause) throws IOException {
        NaklabOutcome outcome = NaklabOutcome.passed("ConfusionScenario", () -> run(cause));
        JsonNode document = outcome.document();
        assertThat(document.path("diagnosis").asText()).isEqualTo(cause);
        assertThat(document.path("messages").path("missing").asLong()).isZero();
    }

    /** The same process runs beside the receipt thread, which has a CPU of its own: it does not wait, and nothing is dropped. */
    @Test
    void shouldKeepABusyProcessOffTheReceiptThreadsCpu() throws IOException {
        assumeThat(ThreadAffinity.allowed()).as("CPUs").hasSizeGreaterThan(1);
        NaklabOutcome unused =
                NaklabOutcome.passed("ConfusionScenario", () -> run("cpu-preemption", "--remedy", "isolate"));
        JsonNode record =
                Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
        assertThat(record.path("conditions").toString())
                .contains("the receipt thread did not wait for its core", "socket of the service dropped nothing");
    }

    /** The journal of the killed service is intact, and events that it did not receive are not counted as missing. */
    @Test
    void shouldDiagnoseAKilledService() throws IOException {
        NaklabOutcome outcome = NaklabOutcome.passed("ConfusionScenario", () -> run("process-ended"));
        assertThat(outcome.document().path("diagnosis").asText()).isEqualTo("process-ended");
        JsonNode diagnosis =
                Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("diagnosis.json")));
        assertThat(diagnosis.path("evidence").toString()).contains("killed by signal 9");
    }

    /** The stall of one receiver must not hide the loss of the other one, in the diagnosis or in the calendar. */
    @Test
    void shouldNameTwoCausesAtOnceEachAtItsReceiver() throws IOException {
        NaklabOutcome unused = NaklabOutcome.passed("ConfusionScenario", () -> run("masked"));
        JsonNode diagnosis =
                Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("diagnosis.json")));
        assertThat(diagnosis.path("causes"))
                .extracting(cause -> cause.path("process").asText(), cause -> cause.path("cause")
                        .asText())
                .contains(tuple("mds", "late-binding-delay"), tuple("gateway-1", "network-loss"));
        assertThat(Files.readString(directory.resolve("runs/index.html"))).contains("mds red, gateway-1 red");
    }

    /** Of the pairs one that stalls one receiver and takes datagrams from the other; the others are the experiment's. */
    @Test
    void shouldRepeatAPairOfCausesFromItsPlan() throws IOException {
        CausePair pair = CausePair.defaults().get(1);
        Path plan = directory.resolve("pair.json");
        Json.write(plan, Json.tree(new FaultPlan(1, pair.faults()), JsonNode.class));
        NaklabOutcome unused =
                NaklabOutcome.passed("ConfusionScenario", () -> run("baseline", "--plan", plan.toString()));
        JsonNode diagnosis =
                Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("diagnosis.json")));
        assertThat(diagnosis.path("causes"))
                .extracting(cause -> cause.path("process").asText(), cause -> cause.path("cause")
                        .asText())
                .contains(
                        tuple(pair.first().process(), pair.first().cause().label()),
                        tuple(pair.second().process(), pair.second().cause().label()));
    }

    private NaklabOutcome run(String cause, String... more) throws IOException {
        // The stall of a masked run begins at a boundary of a second: a flow of its own length has several.
        Stream<String> length = cause.equals("masked") ? Stream.of() : Stream.of("--duration", "4");
        String[] options = Stream.of(length, Stream.of("--json"), Stream.of(more))
                .flatMap(each -> each)
                .toArray(String[]::new);

        try (NaklabProcess naklab = NaklabProcess.runScenario(cause, directory, options)) {
            NaklabOutcome outcome = naklab.outcome();
            ReplayedCase.assertSame(NaklabProcess.latest(directory));
            return outcome;
        }
    }
}
