package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.containers.ContainerEngine;
import org.naklab.lab.containers.Docker;

/** The mystery in containers: the bind is late for real, and waits for real pages. */
@ExtendWith(ContainerEngine.class)
@Timeout(value = 600, unit = TimeUnit.SECONDS)
final class ContainedMysteryScenario {
    @TempDir
    private Path directory;

    @BeforeEach
    void requireRoot() {
        assumeThat(System.getProperty("user.name"))
                .as("only root's instruments see into containers")
                .isEqualTo("root");
    }

    @Test
    void shouldReproduceTheIncidentAndLeaveNothingAtTheEngine() throws IOException {
        assertBoundLateByMajorFaults("evicted");
    }

    /** Nobody evicts anything: memory pressure does. */
    @Test
    void shouldReproduceTheIncidentWithNothingForced() throws IOException {
        assertBoundLateByMajorFaults("natural");
    }

    private void assertBoundLateByMajorFaults(String fidelity) throws IOException {
        JsonNode document = new MysteryRuns(directory).pass("--fidelity", fidelity);
        MysteryRuns.assertIncident(document, fidelity, "late-binding-major-fault");
        assertThat(document.path("stalls"))
                .anySatisfy(
                        stall -> assertThat(stall.path("majorFaults").asLong()).isPositive());
        assertThat(left(document, "ps", "--all")).isEmpty();
        assertThat(left(document, "network", "ls")).isEmpty();
        assertThat(left(document, "volume", "ls")).isEmpty();
    }

    /** What of the run's is still there, by its name. */
    private static String left(JsonNode document, String... list) {
        String run =
                String.valueOf(Path.of(document.path("runDirectory").asText()).getFileName());
        List<String> command = new ArrayList<>(List.of(list));
        command.addAll(List.of("--quiet", "--filter", "name=" + run.toLowerCase(Locale.ROOT)));
        return Docker.run(command.toArray(String[]::new));
    }
}
