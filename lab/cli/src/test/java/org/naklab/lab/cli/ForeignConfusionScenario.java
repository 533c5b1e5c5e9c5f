package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** Runs, and receivers under watch, that scripts disturb from outside: each script of the blind matrix. */
@Matrix
@Timeout(400)
final class ForeignConfusionScenario {
    /** Disturbances that are always to be named: a stopped run, a Java thread that never waits for its socket, and a port that another process takes. */
    private static final Map<String, String> ALWAYS = new TreeMap<>(
            Map.of("sigstop", "process-paused", "watch-java-spin", "busy-thread", "watch-port-taken", "network-loss"));

    private static final String WATCH = "watch-";

    @TempDir
    private Path directory;

    static Stream<String> disturbances() {
        try (Stream<Path> files = Files.list(Installation.current().root().resolve("lab/studies/src/main/foreign"))) {
            return files
                    .filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("disturbances")
    void shouldJudgeWhatWasMadeFromOutside(String disturbance) throws IOException {
        JsonNode document = run(disturbance);
        List<JsonNode> all = new ArrayList<>();
        document.path("attempts").forEach(all::add);
        String leftOut = document.at("/leftOut/" + disturbance).asText();
        assumeTrue(leftOut.isEmpty(), disturbance + " cannot be made here: " + leftOut);
        assertThat(all)
                .as("statements with confidence certain in every attempt, repeated or not")
                .allSatisfy(attempt -> assertThat(attempt.path("wrongCertain"))
                        .as("%s", attempt)
                        .isEmpty());
        JsonNode last = all.get(all.size() - 1);
        assertThat(last.path("judgement").asText()).as("%s", last).isIn("named", "not-explained");
        assertThat(last.at("/proof/text").asText()).isNotEmpty();
        assertThat(last.at("/proof/endedNs").asLong())
                .isGreaterThan(last.at("/proof/beganNs").asLong());
        if (ALWAYS.containsKey(disturbance)) {
            assertThat(last.path("judgement").asText()).isEqualTo("named");
            assertThat(last.path("cause").asText()).isEqualTo(ALWAYS.get(disturbance));
            Path run = Path.of(last.path("runDirectory").asText());
            assertThat(run.resolve(disturbance.startsWith(WATCH) ? "windows/1" : "")
                            .resolve("diagnosis.json"))
                    .exists();
        }
    }

    private JsonNode run(String disturbance) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.command(
                IsolatedCapture.NAMESPACE,
                directory,
                "confusion",
                "foreign",
                "--only",
                disturbance,
                "--loads",
                "none",
                "--seeds",
                "1",
                "--port",
                String.valueOf(FreePorts.pair()),
                "--runs",
                directory.resolve("runs").toString(),
                "--json")) {
            return naklab.outcome().document();
        }
    }
}
