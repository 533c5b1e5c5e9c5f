package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each benchmark of {@code naklab tune} finds an effect that is planted: an arm that does the same work in a way that is slower by a multiple on every machine. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class PlantedEffectScenario {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "append|-Xint",
                "pipeline|-Xint",
                "add|-Xint",
                "hand-over|-Dnaklab.tune.wait=sleep",
                "lock|-Dnaklab.tune.hold=60000",
                "write|-Dnaklab.tune.write=direct -Dnaklab.tune.block=4096",
                "collect|-XX:+UnlockDiagnosticVMOptions -XX:+VerifyBeforeGC"
            })
    void shouldFindThePlantedLoss(String benchmark, String settings) {
        JsonNode planted = planted(benchmark, settings);
        assertThat(planted.path("answer").asText()).as(planted.toString()).isEqualTo("hurts");
        assertThat(planted.path("effect").path("high").asDouble()).isNegative();
        assertThat(planted.path("missing")).isEmpty();
    }

    @Test
    void shouldFindALockWordAcrossTwoLines() {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "only x86 adds atomically across cache lines");
        JsonNode planted = planted("add", "-Dnaklab.tune.offset=60");
        assertThat(planted.path("answer").asText()).as(planted.toString()).isEqualTo("hurts");
        assertThat(planted.path("inEffect").toString()).contains("ends in the next one");
    }

    /** An append that begins a file creates it, allocates its blocks and maps it: thousands of times as long as another one. */
    @Test
    void shouldFindTheCostOfARoll() {
        JsonNode planted = planted("roll", "-Dnaklab.tune.rolls=2");
        assertThat(planted.path("inEffect").toString()).contains("2 files were begun after the first");
        double atRollUs = figure(planted, "longest at a roll, µs");
        double usualNs = figure(planted, "usual, ns");
        assertThat(atRollUs * 1e3).isGreaterThan(10 * usualNs);
    }

    private static double figure(JsonNode arm, String name) {
        for (JsonNode figure : arm.path("figures")) {
            if (figure.path("name").asText().equals(name)) {
                return figure.path("value").asDouble();
            }
        }
        throw new AssertionError("no figure " + name + " in " + arm);
    }

    private JsonNode planted(String benchmark, String settings) {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "tune",
                        benchmark,
                        "--arm",
                        "planted=" + settings,
                        "--events",
                        "20000",
                        "--rounds",
                        benchmark.equals("roll") ? "1" : "15",
                        "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isIn(0, 2);
        return outcome.document().path("arms").get(1);
    }
}
