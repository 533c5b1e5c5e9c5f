package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** Measures with pauses that are made on purpose, and checks that the report agrees with itself. No length is asserted. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class JitterScenario {
    private static final double SHARE = 0.95;
    private static final int DURATION_S = 3;

    /** Outliers without a reason: more than one in a tenth of a second. */
    private static final int MUCH_UNEXPLAINED = 10 * DURATION_S;

    @TempDir
    private Path directory;

    /**
     * A pause that was made is found, whatever the machine does besides, as each of its pauses only adds to it. What was injected is in the account of
     * each pause: the record of the JVM and of the kernel have it. Only for the share that has a reason the machine matters: what a hypervisor does without telling
     * its guest has none, and then there are many outliers without a reason outside of the pauses too.
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
        JsonNode report = measure("--inject", kind + ":" + length, "--pin", cpus.get(0) + "," + cpus.get(1));
        assertAgrees(report);
        JsonNode injected = report.path("injected");
        int made = injected.path("made").asInt();
        int found = injected.path("found").asInt();
        assertThat(made).isPositive();
        assertThat(found).as(injected.toString()).isGreaterThanOrEqualTo(share(made));
        assertThat(report.path("notLookedAt")).isEmpty();
        if (!kind.equals("preemption")) {
            // A thread that did not have its CPU anyway cannot be preempted.
            assertThat(injected.path("named").asInt()).as(injected.toString()).isGreaterThanOrEqualTo(share(found));
        }
        boolean isExplained = injected.path("attributed").asInt() >= share(found);
        long besides = injected.path("unexplainedBesides").asLong();
        assumeTrue(
                isExplained || besides < MUCH_UNEXPLAINED,
                "the machine stood still without a reason: " + injected + " in " + DURATION_S + " s");
        assertThat(isExplained).as(injected.toString()).isTrue();
    }

    @Test
    void shouldSayWhatItDoesNotLookAt() throws IOException {
        JsonNode report = measure();
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
        assertThat(perMinute).containsOnlyKeys("default", "each-1s", "each-300s");
        assertThat(perMinute.get("each-1s")).isNotEmpty().allMatch(count -> count > 0);
        assertThat(perMinute.get("each-300s")).containsOnly(0.0);
        assertThat(Files.readString(page)).contains("each-300s", "no periodic safepoint");
    }

    @Test
    void shouldMeasureTheWayToTheSafepoint() throws IOException {
        JsonNode arms = run("--experiment", "time-to-safepoint", "--rounds", "1", "--jdk", "17")
                .path("arms");
        assertThat(arms).hasSize(2);
        arms.forEach(arm -> assertThat(arm.path("safepoints").toString()).contains("FindDeadlocks"));
    }

    private static JsonNode measure(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--pace", "25us"));
        all.addAll(List.of(options));
        return run(all.toArray(String[]::new));
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
