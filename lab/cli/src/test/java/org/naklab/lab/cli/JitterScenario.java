package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** Measures with pauses that are made on purpose, and checks that the report agrees with itself. No length is asserted. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class JitterScenario {
    private static final double SHARE = 0.95;
    private static final int DURATION_S = 3;

    /** A share of 95 % says something of at least so many pauses: of fewer, it would be all of them. */
    private static final int LEAST_MADE = 20;

    @TempDir
    private Path directory;

    /**
     * The injector's log tells which pauses were in force; the meter's sources tell what kept the threads. Both are compared: 95 % of the pauses are found, have a
     * reason, and that reason is what was injected.
     */
    @ParameterizedTest
    @CsvSource({
        "safepoint,50us", "safepoint,100us", "safepoint,500us",
        "preemption,50us", "preemption,100us", "preemption,500us",
        "stop,50us", "stop,100us", "stop,500us"
    })
    void shouldFindAndExplainInjectedPauses(String kind, String length) throws IOException {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        List<Integer> cpus = ThreadAffinity.allowed();
        assumeThat(cpus).hasSizeGreaterThan(1);
        JsonNode report = LiveRun.make(
                "JitterScenario", () -> run("--inject", kind + ":" + length, "--pin", cpus.get(0) + "," + cpus.get(1)));
        assertAgrees(report);
        assertThat(report.path("notLookedAt")).isEmpty();
        assertThat(madeOf(report)).as(report.path("injected").toString()).isGreaterThanOrEqualTo(LEAST_MADE);
        assertThat(isExplained(report, kind))
                .as(report.path("injected") + ", stolen share " + report.path("stolenShare"))
                .isTrue();
    }

    private static int madeOf(JsonNode report) {
        return report.path("injected").path("made").asInt();
    }

    /** A thread that does not have its CPU cannot be preempted: then another thread is the reason. */
    private static boolean isExplained(JsonNode report, String kind) {
        JsonNode injected = report.path("injected");
        int made = madeOf(report);
        int least = kind.equals("preemption") ? made / 2 : share(made);
        return injected.path("found").asInt() >= share(made)
                && injected.path("attributed").asInt() >= share(made)
                && injected.path("named").asInt() >= least;
    }

    @Test
    void shouldSayWhatItDoesNotLookAt() throws IOException {
        Path runs = directory.resolve("runs");
        JsonNode report = run("--keep", "--runs", runs.toString());
        assertThat(runs.resolve("index.html")).content().containsPattern("href=\"jitter/[^\"]*/report\\.html\"");
        assertAgrees(report);
        boolean isKernelSeen = KernelRecorder.whyNot(RecorderSource.BPF).isEmpty();
        assertThat(report.path("notLookedAt").size() == 0).isEqualTo(isKernelSeen);
        assertThat(report.has("injected")).isFalse();
    }

    /**
     * Counts by JFR, on each JDK here. Asked for each second, each makes periodic safepoints; each five minutes, none does in a few seconds. Whether a JDK makes any by default is
     * what the command is to find out.
     */
    @Test
    void shouldCountPeriodicSafepointsByTheirInterval() throws IOException {
        Path page = directory.resolve("arms.html");
        JsonNode arms = run("--experiment", "guaranteed-safepoint", "--rounds", "1", "--html", page.toString())
                .path("arms");
        Map<String, List<Double>> perMinute = new HashMap<>();
        arms.forEach(arm -> perMinute
                .computeIfAbsent(arm.path("arm").asText(), name -> new ArrayList<>())
                .add(arm.path("periodicPerMinute").asDouble()));
        assertThat(perMinute).containsOnlyKeys("default", "default-300s", "each-1s", "each-300s");
        assertThat(perMinute.get("each-1s")).isNotEmpty().allMatch(count -> count > 0);
        assertThat(perMinute.get("each-300s")).containsOnly(0.0);
        assertThat(perMinute.get("default-300s")).containsOnly(0.0);
        assertThat(Files.readString(page)).contains("each-300s", "no periodic safepoint");
    }

    /** Loops of 2 ms: with polls in them, a thread is stopped at the next one. The ratio is of one command, in turns. */
    @Test
    void shouldMeasureTheWayToTheSafepoint() throws IOException {
        JsonNode comparison = LiveRun.make(
                "JitterScenario", () -> run("--experiment", "time-to-safepoint", "--rounds", "1", "--jdk", "17"));
        JsonNode polls = arm(comparison, "polls");
        JsonNode noPolls = arm(comparison, "no-polls");
        assertThat(polls.path("safepoints").toString()).contains("FindDeadlocks");
        assertThat(noPolls.path("safepoints").toString()).contains("FindDeadlocks");
        assertThat(meanToSafepointUs(comparison, "no-polls")).isGreaterThan(2 * meanToSafepointUs(comparison, "polls"));
        assertThat(noPolls.path("comparedWith").asText()).isEqualTo("polls");
    }

    @Test
    void shouldCompareCollectorThreadsThatCollect() throws IOException {
        JsonNode comparison = run("--experiment", "gc-threads", "--rounds", "1", "--jdk", "17");
        for (String name : List.of("two", "thirty-two")) {
            JsonNode arm = arm(comparison, name);
            assertThat(arm.path("safepoints").toString()).as(name).contains("ParallelGC");
            assertThat(arm.path("secondsWithPause").path("hits").asInt())
                    .as(name)
                    .isPositive();
            assertThat(arm.path("p999Us")).as(name).hasSize(1);
        }
        assertThat(arm(comparison, "thirty-two").path("comparedWith").asText()).isEqualTo("two");
    }

    /** One wait of a busy machine outweighs a hundred of the loop's. */
    private static double meanToSafepointUs(JsonNode comparison, String name) {
        return arm(comparison, name).path("meanToSafepointUs").asDouble();
    }

    private static JsonNode arm(JsonNode comparison, String name) {
        return StreamSupport.stream(comparison.path("arms").spliterator(), false)
                .filter(arm -> arm.path("arm").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode run(String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("jitter", "--duration", DURATION_S + "s", "--warm-up", "1s", "--json"));
        arguments.addAll(List.of(options));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Json.parse(run.out());
    }

    private static void assertAgrees(JsonNode report) {
        assertThat(report.path("messages").asDouble() * report.path("paceUs").asDouble())
                .isCloseTo(DURATION_S * 1e6, Offset.offset(0.01));
        long outliers = report.path("outliers").asLong();
        assertThat(sum(report.path("reasons"), "count")).isEqualTo(outliers);
        assertThat(StreamSupport.stream(report.path("phase").spliterator(), false)
                        .mapToLong(JsonNode::asLong)
                        .sum())
                .isEqualTo(outliers);
        report.path("worst").forEach(late -> {
            double parts = StreamSupport.stream(late.path("parts").spliterator(), false)
                    .mapToDouble(part -> part.path("us").asDouble())
                    .sum();
            assertThat(parts).isCloseTo(late.path("us").asDouble(), Offset.offset(0.01));
        });
        // JFR counts from before the warm-up, the log's table what was measured.
        assertThat(sum(report.path("jfrSafepoints"), "count"))
                .isGreaterThanOrEqualTo(sum(report.path("safepoints"), "count"));
    }

    private static long sum(JsonNode rows, String key) {
        return StreamSupport.stream(rows.spliterator(), false)
                .mapToLong(row -> row.path(key).asLong())
                .sum();
    }

    private static int share(int count) {
        return (int) Math.floor(SHARE * count);
    }
}
