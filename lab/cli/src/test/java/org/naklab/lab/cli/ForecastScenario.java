package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.containers.pace.ReadGroup;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;

/** What {@code naklab watch} forecasts of the mystery, before the service yields for the first time, and how long the bind then takes. */
@Matrix
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ForecastScenario {
    private static final int RUNS = 10;
    private static final int LEAST_HITS = 9;
    private static final double TOLERANCE = 0.3;
    /** Not the one for a shortage of memory. */
    private static final Pattern FORECAST = Pattern.compile(
            "^forecast: mds-context (?:will|would) wait about ([0-9]+) ms at its first [^:]*sched_yield[^:]* of libnaklab_yield",
            Pattern.MULTILINE);

    @TempDir
    private Path directory;

    /** A forecast and what came. */
    private record Outcome(OptionalDouble forecastMs, OptionalDouble stallMs) {
        boolean isHit() {
            return forecastMs.isPresent()
                    && stallMs.isPresent()
                    && Math.abs(stallMs.getAsDouble() / forecastMs.getAsDouble() - 1) <= TOLERANCE;
        }
    }

    /** A run in which the machine kept the pages, or took the CPUs away, has no bind that waits: it is neither a hit nor a miss. */
    @Test
    void shouldForecastTheWaitForEvictedPages() throws IOException {
        assumeThat(ReadGroup.obstacle(directory)).isEmpty();
        List<Outcome> outcomes = new ArrayList<>();
        for (int attempt = 1; attempt <= 2 * RUNS && outcomes.size() < RUNS; attempt++) {
            Outcome outcome = watched(Files.createDirectory(directory.resolve("run-" + attempt)), attempt);
            if (outcome.stallMs().isPresent()) {
                outcomes.add(outcome);
            }
        }
        assertThat(outcomes).hasSize(RUNS);
        assertThat(outcomes.stream().filter(Outcome::isHit))
                .as(outcomes.toString())
                .hasSizeGreaterThanOrEqualTo(LEAST_HITS);
    }

    private static Outcome watched(Path own, int seed) throws IOException {
        Path watching = Files.createDirectory(own.resolve("watch"));
        try (NaklabProcess run = NaklabProcess.runScenario(
                "mystery", own, "--fidelity", "evicted", "--verbose", "--seed", String.valueOf(seed))) {
            run.await(
                    "the processes",
                    () -> run.err().contains("exchange      pid")
                            || !run.handle().isAlive());
            String pid = String.valueOf(run.child("mds").pid());
            try (NaklabProcess watch = NaklabProcess.command(watching, "watch", pid)) {
                run.awaitExit();
                watch.awaitExit();
                return new Outcome(forecastMs(watch.out()), stallMs(own));
            }
        }
    }

    /** The last one before the bind: until then, the pages may come and go. */
    private static OptionalDouble forecastMs(String out) {
        OptionalDouble last = OptionalDouble.empty();
        Matcher forecast = FORECAST.matcher(out);
        while (forecast.find()) {
            last = OptionalDouble.of(Double.parseDouble(forecast.group(1)));
        }
        return last;
    }

    private static OptionalDouble stallMs(Path own) throws IOException {
        JsonNode run = Json.parse(Files.readAllBytes(NaklabProcess.latest(own).resolve("run.json")));
        for (JsonNode stall : run.path("stalls")) {
            if (stall.path("process").asText().equals("mds")
                    && stall.path("cause").asText().equals("late-binding-major-fault")) {
                return OptionalDouble.of(stall.path("durationMs").asDouble());
            }
        }
        return OptionalDouble.empty();
    }
}
