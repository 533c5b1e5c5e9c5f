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

/** Faults that are injected into a process of somebody else, and undone however the command ends. */
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
    void shouldUndoTheFaultWhenItIsRemoved() {
        try (NaklabProcess naklab = inject("process-pause:for=60s")) {
            naklab.await("the pause", () -> state() == STOPPED);
            try (NaklabProcess removal = NaklabProcess.command(other, "faults", "remove")) {
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
    void shouldUndoTheFaultWhenTheCommandIsKilled() {
        try (NaklabProcess naklab = inject("process-pause:for=60s")) {
            naklab.await("the pause", () -> state() == STOPPED);
            naklab.signal("KILL", naklab.handle());
            naklab.await("the guard", () -> state() != STOPPED);
        }
    }

    @Test
    void shouldInjectIntoARunThatIsUnderWay() {
        try (NaklabProcess run = NaklabProcess.run(directory, "--rate", "500", "--duration", "60")) {
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
