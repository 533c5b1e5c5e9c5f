package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.convoy.ConvoyReport;
import org.naklab.lab.tools.linking.SystemRecorder;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** Writers that wait for each other's lock, and the same writers that take it where it is needed. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class LockConvoyScenario {
    private static final String LIBPROF = "libprof --attach %d --function fcntl --for 3s --system --threads --json";

    @TempDir
    private Path directory;

    @BeforeEach
    void assumeLocksAreListed() {
        assumeThat(Scenarios.find("lock-convoy").orElseThrow().obstacle()).isEmpty();
    }

    @Test
    void shouldNameTheLockThatTheWritersWaitFor() throws IOException {
        ConvoyReport wide = pass("--duration", "5");
        assertThat(wide.lockWait()).isNotNull().satisfies(wait -> {
            assertThat(wait.file()).isEqualTo(wide.lock());
            assertThat(wait.call()).isEqualTo("fcntl(F_SETLKW)");
            assertThat(wait.holder()).matches("writer-[1-4] \\(pid \\d+\\)");
        });
        assertThat(story()).contains("they waited in fcntl(F_SETLKW)", "for the lock of snapshot.lock,", "held by ");
    }

    @Test
    void shouldBeCuredByTakingTheLockWhereItIsNeeded() throws IOException {
        ConvoyReport wide = pass();
        ConvoyReport narrow = pass("--remedy", "narrow-lock");
        assertThat(story()).doesNotContain("next ");
        assertThat(casesPerSecond(narrow)).isGreaterThanOrEqualTo(2 * casesPerSecond(wide));
        assertThat(narrow.writers())
                .as("the one case that needs the lock stays slow")
                .allSatisfy(writer -> assertThat((double) writer.times().snapshotNs()
                                / writer.calls().snapshots())
                        .isGreaterThan(
                                2.0 * writer.times().plainNs() / writer.calls().plain()));
    }

    /** Each profiler alone: no processor time, no system call that computes, no Java event; and the call that takes the time, but neither the lock nor its holder. */
    @Test
    void shouldLookInnocentToEachProfilerAlone() throws Exception {
        assumeRecorder();
        try (NaklabProcess naklab =
                NaklabProcess.runScenario("lock-convoy", directory, "--verbose", "--duration", "25s")) {
            naklab.await(
                    "the writers", () -> writers(naklab) == 4 && naklab.err().contains("exchange      pid"));
            ProcessHandle writer = naklab.handle()
                    .descendants()
                    .filter(LockConvoyScenario::isWriter)
                    .findFirst()
                    .orElseThrow();
            Path own = Files.createDirectory(directory.resolve("libprof"));
            NaklabOutcome outcome = NaklabProcess.command(
                            own, LIBPROF.formatted(writer.pid()).split(" ", -1))
                    .outcome();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            JsonNode profile = outcome.document();

            JsonNode thread = named(profile.path("threads"), "convoy-writer");
            JsonNode longest = thread.path("functions").path(0);
            assertThat(longest.path("name").asText()).isEqualTo("fcntl");
            assertThat(longest.path("percent").asDouble()).isGreaterThan(40);
            JsonNode account = named(profile.path("system").path("threads"), "convoy-writer");
            double seconds = account.path("seconds").asDouble();
            assertThat(account.path("parts").path("onProcessor").asDouble()).isLessThan(0.25 * seconds);
            assertThat(account.path("parts").path("lock").asDouble()).isGreaterThan(0.4 * seconds);
            JsonNode call = named(profile.path("system").path("systemCalls"), "fcntl");
            assertThat(call.path("cpuSeconds").asDouble())
                    .isLessThan(0.1 * call.path("seconds").asDouble());
            assertThat(List.of(profile.path("functions"), profile.path("threads"), profile.path("system"))
                            .toString())
                    .as("neither the lock nor its holder")
                    .doesNotContain("snapshot.lock", "writer-");
        }
        assertThat(FlightRecorder.getFlightRecorder().getEventTypes())
                .as("events of JFR")
                .extracting(EventType::getName)
                .contains("jdk.FileRead")
                .noneMatch(name -> name.startsWith("jdk.File") && name.contains("Lock"));
    }

    private static JsonNode named(JsonNode rows, String name) {
        return StreamSupport.stream(rows.spliterator(), false)
                .filter(row -> row.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + rows));
    }

    private static long writers(NaklabProcess naklab) {
        return naklab.handle()
                .descendants()
                .filter(LockConvoyScenario::isWriter)
                .count();
    }

    private static boolean isWriter(ProcessHandle process) {
        return NaklabProcess.commandOf(process).contains(".ConvoyWriter\0");
    }

    /** Skips the test, with the reason, where BPF programs do not run. */
    private void assumeRecorder() {
        try {
            SystemRecorder.start(directory).close();
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    private static double casesPerSecond(ConvoyReport report) {
        return report.writers().stream()
                .mapToDouble(writer -> 1e9
                        * (writer.calls().plain() + writer.calls().snapshots())
                        / writer.times().elapsedNs())
                .sum();
    }

    private ConvoyReport pass(String... options) throws IOException {
        NaklabOutcome outcome = LiveRun.make("LockConvoyScenario", () -> run(options));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        return ConvoyReport.read(NaklabProcess.latest(directory)).orElseThrow();
    }

    private NaklabOutcome run(String... options) {
        try (NaklabProcess naklab = NaklabProcess.runScenario("lock-convoy", directory, options)) {
            return naklab.outcome();
        }
    }

    private String story() throws IOException {
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class)
                .path("story")
                .toString();
    }
}
