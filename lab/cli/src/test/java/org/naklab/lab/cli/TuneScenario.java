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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.testing.Matrix;

/**
 * {@code naklab tune} with a flag whose effect is beyond doubt, and one that the JVM does not have. How often the answers are right, also about an arm without an
 * effect, is simulated in the tests of the statistics.
 */
@Matrix
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
                        "interpreted=-Xint -Dnaklab.test=1",
                        "--events",
                        "20000",
                        "--rounds",
                        "20",
                        "--measurements",
                        "1",
                        "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode arms = outcome.document().path("arms");
        assertThat(arms).extracting(arm -> arm.path("name").asText()).containsExactly("default", "interpreted");
        assertThat(arms.get(1).path("answer").asText()).isEqualTo("hurts");
        assertThat(arms.get(1).path("effect").path("high").asDouble()).isNegative();
        assertThat(arms.get(1).path("inEffect").toString())
                .contains("-Xint is an argument of the JVM", "-Dnaklab.test=1 is an argument of the JVM");
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

    /** A JVM that does not start costs its runs, and not those of the others. */
    @Test
    void shouldLeaveOutRunsThatFail() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "tune",
                        "book",
                        "--arm",
                        "broken=-Xmx2m",
                        "--arm",
                        "interpreted=-Xint",
                        "--events",
                        "20000",
                        "--rounds",
                        "8",
                        "--measurements",
                        "1",
                        "--margin",
                        "60",
                        "--html",
                        directory.resolve("tune.html").toString(),
                        "--keep",
                        "--runs",
                        directory.resolve("kept").toString(),
                        "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        JsonNode arms = outcome.document().path("arms");
        assertThat(arms.get(1).path("answer").asText()).isEqualTo("failed");
        assertThat(arms.get(1).path("failures")).hasSize(3);
        assertThat(arms.get(1).path("failures").get(0).asText()).contains("the JVM ended with 1");
        assertThat(arms.get(1).path("median").isNull()).isTrue();
        assertThat(arms.get(2).path("answer").asText()).isEqualTo("hurts");
        assertThat(outcome.out()).doesNotContain("NaN");
        assertThat(directory.resolve("tune.html")).content().contains("run left out: round 1");
        assertThat(directory.resolve("kept").resolve("index.html"))
                .content()
                .containsPattern("href=\"tune/[^\"]*-book/report\\.html\"");
    }

    /** Killed in the middle of a run: neither the setting nor the benchmark's JVM may stay. */
    @Test
    void shouldEndTheBenchmarkAndPutTheKernelBackWhenKilled() throws IOException {
        Path parameter = Path.of("/proc/sys/vm/stat_interval");
        assumeTrue(Files.isWritable(parameter), "only root can set a parameter of the kernel");
        String former = KernelSetting.text(parameter);
        String other = former.equals("7") ? "8" : "7";
        try (NaklabProcess tune = NaklabProcess.command(
                directory, "tune", "hand-over", "--arm", "other=sysctl:vm.stat_interval=" + other)) {
            tune.await("a run with the setting", () -> isSet(parameter, other) && isBenchmarkRunning(tune));
            List<ProcessHandle> children = tune.children();
            tune.signal("KILL", tune.handle());
            tune.awaitGone(children);
            tune.await("the former setting", () -> isSet(parameter, former));
        }
    }

    private static boolean isBenchmarkRunning(NaklabProcess tune) {
        return tune.children().stream()
                .anyMatch(child -> NaklabProcess.commandOf(child).contains("BenchTaskProcess"));
    }

    private static boolean isSet(Path parameter, String value) {
        try {
            return KernelSetting.text(parameter).equals(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRunAReadyMadeExperiment() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory, "tune", "--experiment", "pages", "--rounds", "1", "--events", "20000", "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        JsonNode document = outcome.document();
        assertThat(document.path("task").asText()).isEqualTo("pages");
        List<String> figures = document.path("arms").get(0).findValuesAsText("name");
        assertThat(figures).contains("default", "waits for compaction", "huge pages at a fault");
        // Either the machine counts them, or it is said why it does not.
        assertThat(figures.contains("dTLB-load-misses"))
                .isNotEqualTo(document.path("leftOut").has("dTLB-load-misses"));
        for (JsonNode arm : document.path("arms")) {
            boolean isInEffect = arm.path("missing").isEmpty();
            boolean hasHugePages = arm.path("price").path("hugePageBytes").asDouble() > 0;
            assertThat(isInEffect && !arm.path("name").asText().equals("default") && !hasHugePages)
                    .as("in effect without a huge page: " + arm)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--experiment nothing|no experiment 'nothing'; there are: pages",
                "--experiment buffers|bench buffers",
                "nothing --arm a=-Db=c|no benchmark 'nothing'",
                "--experiment pages --arm a=-Db=c|has a benchmark and arms of its own",
                "baseline --arm a=limit:nofile=512|is a setting of benchmarks"
            })
    void shouldRefuseAWrongExperiment(String words, String reason) {
        List<String> arguments = new ArrayList<>(List.of("tune"));
        arguments.addAll(List.of(words.split(" ", -1)));
        NaklabOutcome outcome = NaklabProcess.command(directory, arguments.toArray(String[]::new))
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(64);
        assertThat(outcome.err()).contains(reason);
    }

    /** A JVM that takes itself for one of another architecture stands for a machine that can run no arm. */
    @Test
    void shouldRefuseByNameWhatThisMachineCannotRun() {
        NaklabOutcome outcome = NaklabProcess.command(
                        List.of("env", "JAVA_TOOL_OPTIONS=-Dos.arch=aarch64"),
                        directory,
                        "tune",
                        "--experiment",
                        "alignment")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(69);
        assertThat(outcome.err())
                .contains("this machine can run no arm of alignment: across-lines: "
                        + "aarch64 has no atomic addition across cache lines; in-line: ");
    }

    @Test
    void shouldAuditTheMachine() {
        NaklabOutcome outcome =
                NaklabProcess.command(directory, "doctor", "--tuning", "--json").outcome();
        JsonNode findings = outcome.document().path("tuning");
        assertThat(findings.findValuesAsText("experiment")).contains("pages", "descriptors", "processors", "buffers");
        assertThat(findings.findValuesAsText("found")).noneMatch(String::isBlank);
        assertThat(findings.findValuesAsText("command"))
                .allMatch(command -> command.contains(" tune --experiment ") || command.endsWith(" bench buffers"));
    }

    @Test
    void shouldFindTheSmallestBuffer() {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory, "bench", "buffers", "--rates", "5000", "--stalls", "20ms", "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode points = outcome.document().path("points");
        assertThat(points).hasSize(1);
        assertThat(points.get(0).path("datagrams").asLong()).isEqualTo(100);
        assertThat(points.get(0).path("measuredBytes").asLong())
                .isGreaterThanOrEqualTo(points.get(0).path("arithmeticBytes").asLong());
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
