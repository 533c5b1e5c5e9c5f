package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    /** A pause that was made is found, whatever the machine does besides. What else the machine did then may be its reason too. */
    @ParameterizedTest
    @CsvSource({"safepoint,100us", "safepoint,500us", "preemption,100us", "preemption,500us"})
    void shouldFindInjectedPauses(String kind, String length) throws IOException {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        List<Integer> cpus = ThreadAffinity.allowed();
        assumeThat(cpus).hasSizeGreaterThan(1);
        JsonNode report = measure(
                "--inject", kind + ":" + length, "--pin", cpus.get(0) + "," + cpus.get(1), "--threshold", "30us");
        assertAgrees(report);
        JsonNode injected = report.path("injected");
        assertThat(injected.path("made").asInt()).isPositive();
        assertThat(injected.path("found").asInt())
                .isGreaterThanOrEqualTo(share(injected.path("made").asInt()));
        assertThat(reasons(report)).contains(reasonOf(kind));
    }

    @Test
    void shouldSayWhatItDoesNotLookAt() throws IOException {
        JsonNode report = measure();
        assertAgrees(report);
        boolean isKernelSeen = KernelRecorder.whyNot(RecorderSource.BPF).isEmpty();
        assertThat(report.path("notLookedAt").size() == 0).isEqualTo(isKernelSeen);
        assertThat(report.has("injected")).isFalse();
    }

    private static JsonNode measure(String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("jitter", "--duration", "3s", "--warm-up", "1s", "--pace", "25us", "--json"));
        arguments.addAll(List.of(options));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Json.parse(run.out());
    }

    private static void assertAgrees(JsonNode report) {
        assertThat(report.path("messages").asLong()).isEqualTo(120_000);
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
            assertThat(parts).isCloseTo(late.path("us").asDouble(), org.assertj.core.data.Offset.offset(0.01));
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

    private static List<String> reasons(JsonNode report) {
        return StreamSupport.stream(report.path("reasons").spliterator(), false)
                .map(row -> row.path("reason").asText())
                .toList();
    }

    private static String reasonOf(String kind) {
        return kind.equals("safepoint") ? "safepoint" : "run-queue";
    }

    private static int share(int count) {
        return (int) Math.floor(SHARE * count);
    }
}
