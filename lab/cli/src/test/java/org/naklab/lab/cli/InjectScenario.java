package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.core.Json;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;

/** Faults that are injected into a process of somebody else, and undone however the command ends. */
@Live(runs = 1)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class InjectScenario {
    private static final char STOPPED = 'T';

    @TempDir
    private Path directory;

    @TempDir
    private Path other;

    private Process victim;

    @BeforeEach
    void startVictim() throws IOException {
        victim = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void endVictim() {
        victim.destroyForcibly();
    }

    @Test
    @Matrix
    void shouldProveTheFaultAndUndoIt() {
        try (NaklabProcess naklab = inject("process-pause:for=200ms", "--json")) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            JsonNode document = outcome.document();
            assertThat(document.path("kind").asText()).isEqualTo("process-pause");
            assertThat(document.path("target").asText()).isEqualTo("process " + victim.pid());
            assertThat(document.path("proof").path("fired").asBoolean()).isTrue();
            assertThat(state()).isNotEqualTo(STOPPED);
        }
    }

    @Test
    @Matrix
    void shouldUndoTheFaultWhenItIsRemoved(@TempDir Path third) {
        try (NaklabProcess naklab = inject("process-pause:for=60s")) {
            naklab.await("the pause", () -> state() == STOPPED);
            try (NaklabProcess listing = NaklabProcess.command(third, "faults", "--active")) {
                assertThat(listing.outcome().out().lines())
                        .filteredOn(line -> line.contains(Long.toString(victim.pid())))
                        .singleElement()
                        .asString()
                        .contains("process-pause", "process " + naklab.handle().pid());
            }
            try (NaklabProcess removal =
                    NaklabProcess.command(other, "faults", "remove", Long.toString(victim.pid()))) {
                NaklabOutcome outcome = removal.outcome();
                assertThat(outcome.exitCode()).as(outcome.err()).isZero();
                assertThat(outcome.out())
                        .contains("undone: the fault of process "
                                + naklab.handle().pid());
            }
            assertThat(state()).isNotEqualTo(STOPPED);
            assertThat(naklab.outcome().out()).contains("PROVEN");
        }
    }

    @Test
    @Matrix
    void shouldUndoTheFaultWhenTheCommandIsKilled() {
        try (NaklabProcess naklab = inject("process-pause:for=60s")) {
            naklab.await("the pause", () -> state() == STOPPED);
            naklab.signal("KILL", naklab.handle());
            naklab.await("the guard", () -> state() != STOPPED);
        }
    }

    @Test
    @Matrix
    void shouldInjectIntoARunThatIsUnderWay() {
        try (NaklabProcess run = NaklabProcess.run(directory, "--verbose", "--rate", "500", "--duration", "60")) {
            run.awaitFlow();
            String target = directory.resolve("runs").toString();
            try (NaklabProcess naklab = NaklabProcess.command(
                    other, "inject", target, "process-pause:on=gateway-1,for=100ms@second-boundary", "--json")) {
                NaklabOutcome outcome = naklab.outcome();
                assertThat(outcome.exitCode()).as(outcome.err()).isZero();
                assertThat(outcome.document().path("target").asText())
                        .isEqualTo("process " + run.child("gateway-1").pid());
            }
            run.signal("INT", run.handle());
            run.awaitExit();
        }
    }

    /** Faults in the processes of a run: each is proven, undone by a command, and in the record of the run. */
    @Test
    void shouldInjectIntoTheProcessesOfARunAndRemoveIt(@TempDir Path third) throws IOException {
        try (NaklabProcess run = NaklabProcess.run(
                directory, "--rate", "2000", "--duration", "60", "--fault", "stall:stall=10ms@wake-failed")) {
            run.awaitFlow();
            String target = run.evidence().toRealPath().toString();
            long lost;
            try (NaklabProcess loss = NaklabProcess.command(
                    other, "inject", target, "datagram-loss:probability=5%,on=gateway-1,for=60s", "--json")) {
                loss.await("the loss", () -> loss.err().contains("Ctrl-C undoes it"));
                NaklabOutcome removal = remove(third, target);
                assertThat(removal.exitCode()).as(removal.err()).isZero();
                assertThat(removal.out()).contains("undone: added-stall on mds of " + target);
                NaklabOutcome outcome = loss.outcome();
                JsonNode document = outcome.document();
                assertThat(document.path("id").asText()).isEqualTo("injected-datagram-loss");
                assertThat(document.path("runDirectory").asText()).isEqualTo(target);
                lost = document.path("proof").path("figures").path("firings").asLong();
            }
            try (NaklabProcess slow =
                    NaklabProcess.command(other, "inject", target, "slow-callback:delay=2ms,for=500ms", "--json")) {
                NaklabOutcome outcome = slow.outcome();
                assertThat(outcome.exitCode()).as(outcome.err()).isZero();
                assertThat(outcome.document().path("proof").path("fired").asBoolean())
                        .isTrue();
            }
            run.signal("INT", run.handle());
            run.awaitExit();
            ReplayedCase.assertSame(Path.of(target));
            JsonNode record = Json.parse(NaklabProcess.read(Path.of(target, "run.json")));
            JsonNode atGateway = faultOf(record, "gateway-1", "injected-datagram-loss");
            // Nothing was lost after it had been removed.
            assertThat(atGateway.path("proof").path("figures").path("firings").asLong())
                    .isEqualTo(lost);
            assertThat(faultOf(record, "mds", "injected-slow-callback")
                            .path("proof")
                            .path("fired")
                            .asBoolean())
                    .isTrue();
            assertThat(record.path("plan").path("addedFaults").findValuesAsText("id"))
                    .containsExactly("added-stall", "injected-datagram-loss", "injected-slow-callback");
            assertThat(record.path("replay").asText()).contains(" --plan " + target + "/injected.json");
        }
    }

    private static NaklabOutcome remove(Path directory, String target) {
        try (NaklabProcess removal = NaklabProcess.command(directory, "faults", "remove", target)) {
            return removal.outcome();
        }
    }

    private static JsonNode faultOf(JsonNode record, String process, String id) {
        for (JsonNode subscriber : record.path("subscribers")) {
            if (subscriber.path("name").asText().equals(process)) {
                return subscriber.path("faults").path(id);
            }
        }
        throw new AssertionError("no " + process + " in " + record.path("subscribers"));
    }

    private NaklabProcess inject(String fault, String... options) {
        String[] words = new String[options.length + 3];
        words[0] = "inject";
        words[1] = Long.toString(victim.pid());
        words[2] = fault;
        System.arraycopy(options, 0, words, 3, options.length);
        return NaklabProcess.command(directory, words);
    }

    private char state() {
        return TargetProcess.of(victim.pid()).state();
    }
}
