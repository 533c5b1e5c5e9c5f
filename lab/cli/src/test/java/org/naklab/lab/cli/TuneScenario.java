package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void shouldRefuseWhatIsNoArm() {
        NaklabOutcome outcome = NaklabProcess.command(directory, "tune", "book", "--arm", "a=file:/etc/passwd=x")
                .outcome();
        assertThat(outcome.exitCode()).isEqualTo(64);
        assertThat(outcome.err()).contains("neither in /sys nor in /proc/sys");
    }
}
