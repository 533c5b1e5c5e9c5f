package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.replica.process.Installation;
import org.naklab.testing.FreePorts;

/**
 * Runs, and receivers under watch, that scripts disturb from outside. One is always made; of the others, each day takes the next, so that all have their
 * turn. The system property {@code naklab.foreign.day}, a number of days, repeats those of another day.
 */
@Timeout(400)
final class ForeignConfusionScenario {
    private static final int ATTEMPTS = 3;
    /** The disturbances of each day, with their causes: a stopped run, a Java thread that never waits for its socket, and a port that another process takes. */
    private static final Map<String, String> ALWAYS = new TreeMap<>(
            Map.of("sigstop", "process-paused", "watch-java-spin", "busy-thread", "watch-port-taken", "network-loss"));

    private static final String WATCH = "watch-";

    @TempDir
    private Path directory;

    static Stream<String> disturbances() {
        long day =
                Long.getLong("naklab.foreign.day", LocalDate.now(ZoneOffset.UTC).toEpochDay());
        List<String> ofRun = scripts()
                .filter(name -> !name.startsWith(WATCH) && !ALWAYS.containsKey(name))
                .toList();
        List<String> ofWatch = scripts()
                .filter(name -> name.startsWith(WATCH) && !ALWAYS.containsKey(name))
                .toList();
        return Stream.concat(
                ALWAYS.keySet().stream(),
                Stream.of(
                        ofRun.get(Math.floorMod(day, ofRun.size())), ofWatch.get(Math.floorMod(day, ofWatch.size()))));
    }

    private static Stream<String> scripts() {
        try (Stream<Path> files = Files.list(Installation.current().root().resolve("lab/src/main/dist/foreign"))) {
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
        List<JsonNode> all = new ArrayList<>();
        JsonNode document = Again.whileInDoubt(ATTEMPTS, ForeignConfusionScenario::isInDoubt, () -> {
            JsonNode made = run(disturbance);
            made.path("attempts").forEach(all::add);
            return made;
        });
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

    /**
     * The script measured that the machine took the receiver's CPU, or the diagnosis says so although the script did nothing of the kind, or the run has no verdict: whatever
     * was said, another run says more.
     */
    private static boolean isInDoubt(JsonNode document) {
        JsonNode last = document.at("/attempts/" + (document.path("attempts").size() - 1));
        return document.path("leftOut").isEmpty()
                && (last.path("judgement").asText().equals("not-made")
                        || last.path("verdict").asText().equals("unknown")
                        || isOfTheMachine(last)
                        || isMeasured(last, "also")
                        || isMeasured(last, "beside"));
    }

    private static boolean isOfTheMachine(JsonNode attempt) {
        String cause = attempt.path("cause").asText();
        return LyingAuditLibraryScenario.MACHINE.contains(cause)
                && !attempt.path("judgement").asText().equals("named");
    }

    private static boolean isMeasured(JsonNode attempt, String when) {
        return attempt.path("proof").path(when).toString().contains("cpu-preemption");
    }

    private JsonNode run(String disturbance) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.command(
                directory,
                "confusion",
                "--foreign",
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
