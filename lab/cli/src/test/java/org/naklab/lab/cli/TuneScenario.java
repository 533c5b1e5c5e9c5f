package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;

/**
 * {@code naklab tune} with a flag whose effect is beyond doubt, one without any, and one that the JVM does not have. How often the answers are right is simulated
 * in the tests of the statistics; here the machine may be busy, and an arm without an effect may not have runs enough.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class TuneScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldTellWhatAFlagDoes() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "tune",
                        "book",
                        "--arm",
                        "interpreted=-Xint",
                        "--arm",
                        "null=-Dnaklab.test=1",
                        "--events",
                        "100000",
                        "--margin",
                        "60",
                        "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isIn(0, 2);
        JsonNode arms = outcome.document().path("arms");
        assertThat(arms.findValuesAsText("name")).containsExactly("default", "interpreted", "null");
        assertThat(arms.get(1).path("answer").asText()).isEqualTo("hurts");
        assertThat(arms.get(1).path("effect").path("high").asDouble()).isNegative();
        assertThat(arms.get(1).path("inEffect").toString()).contains("-Xint is an argument of the JVM");
        assertThat(arms.get(2).path("answer").asText()).isIn("no difference", "not enough runs");
        assertThat(arms.get(2).path("inEffect").toString()).contains("-Dnaklab.test=1 is an argument of the JVM");
        assertThat(arms.get(0).path("price").path("memoryBytes").asLong()).isPositive();
    }

    @Test
    void shouldNotJudgeWhatIsNotInEffect() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory, "tune", "book", "--arm", "none=-XX:+NoFlagOfAnyJvm", "--events", "20000")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.out()).contains("not in effect", "this JVM has no flag NoFlagOfAnyJvm");
    }

    /** The flags go to the process of the service; the figures come from the record of each run, which is kept. */
    @Test
    void shouldTuneTheServiceOfAScenario() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "tune",
                        "baseline",
                        "--runs",
                        directory.resolve("runs").toString(),
                        "--rate",
                        "2000",
                        "--duration",
                        "1s",
                        "--rounds",
                        "1",
                        "--arm",
                        "interpreted=-Xint NAKLAB_TEST=1",
                        "--arm",
                        "none=-XX:+NoFlagOfAnyJvm",
                        "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        JsonNode arms = outcome.document().path("arms");
        assertThat(arms.findValuesAsText("median")).hasSize(3).allMatch(value -> Double.parseDouble(value) > 0);
        assertThat(arms.get(1).path("answer").asText()).isEqualTo("not enough runs");
        assertThat(arms.get(1).path("inEffect").toString()).contains("--service-flag=-Xint", "NAKLAB_TEST=1");
        assertThat(arms.get(1).path("missing")).isEmpty();
        assertThat(arms.get(1).path("price").path("memoryBytes").asLong()).isPositive();
        assertThat(arms.get(2).path("answer").asText()).isEqualTo("not in effect");
        assertThat(arms.get(2).path("missing").toString()).contains("this JVM has no flag NoFlagOfAnyJvm");
        JsonNode record = Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
        assertThat(record.path("plan").path("serviceSettings").toString()).contains("NoFlagOfAnyJvm");
        assertThat(record.path("replay").asText()).contains("--service-flag=-XX:+NoFlagOfAnyJvm");
    }

    @Test
    void shouldRefuseWhatIsNoArm() {
        NaklabOutcome outcome = NaklabProcess.command(directory, "tune", "book", "--arm", "a=file:/etc/passwd=x")
                .outcome();
        assertThat(outcome.exitCode()).isEqualTo(64);
        assertThat(outcome.err()).contains("neither in /sys nor in /proc/sys");
    }
}
