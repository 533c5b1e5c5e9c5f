package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;

/** Hunts with real runs of a short flow. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class HuntScenario {
    private static final String[] SHORT_FLOW = {"--rate", "500", "--duration", "1"};

    @TempDir
    private Path directory;

    private final Set<Path> ended = new HashSet<>();

    @Test
    void shouldKeepTheRunThatHasAHitAndRunTheCommand() throws IOException {
        Path told = directory.resolve("told");
        NaklabOutcome hunt = hunt(
                "--until",
                "nak",
                "--max",
                "2m",
                "--fault",
                "datagram-loss:probability=5%@+200ms",
                "--exec",
                "ls \"$NAKLAB_WINDOW\" > " + told + "; echo the hook was here",
                "--json");

        assertThat(hunt.exitCode()).as(hunt.toString()).isEqualTo(3);
        JsonNode summary = Json.parse(hunt.out());
        assertThat(summary.path("ended").asText()).isEqualTo("found");
        assertThat(hunt.err()).containsSubsequence("hunting baseline until nak", "HIT  run ", "the hook was here");
        JsonNode hit = summary.path("hits").get(0);
        assertThat(hit.path("kept").asBoolean()).isTrue();
        Path run = Path.of(hit.path("directory").asText());
        assertThat(Json.read(run.resolve("run.json"), JsonNode.class)
                        .path("naks")
                        .asLong())
                .isPositive();
        assertThat(run.resolve("report.html")).exists();
        assertThat(Files.readAllLines(told)).contains("run.json", "report.html");
    }

    @Test
    void shouldKeepOnlyTheLatestRunWithoutAHit() throws IOException {
        try (NaklabProcess naklab = start("--until", "stall>29m", "--max", "1h")) {
            naklab.await("two runs that have ended", this::haveTwoEnded);
            naklab.signal("INT", naklab.handle());
            NaklabOutcome hunt = naklab.outcome();

            assertThat(hunt.exitCode()).as(hunt.toString()).isEqualTo(130);
            assertThat(hunt.out()).containsPattern("ended +interrupted").contains("0 of ");
        }
        assertThat(runs()).singleElement().satisfies(kept -> assertThat(ended)
                .as("those that ended before")
                .hasSizeGreaterThan(1)
                .allMatch(run -> run.compareTo(kept) <= 0));
    }

    /** Looks for the records of runs, and returns whether two have been there. */
    private boolean haveTwoEnded() {
        if (Files.isDirectory(directory.resolve("runs/baseline"))) {
            try {
                runs().stream()
                        .filter(run -> Files.exists(run.resolve("report.html")))
                        .forEach(ended::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ended.size() > 1;
    }

    private NaklabOutcome hunt(String... options) {
        try (NaklabProcess naklab = start(options)) {
            return naklab.outcome();
        }
    }

    private NaklabProcess start(String... options) {
        String[] all = Stream.of(SHORT_FLOW, options).flatMap(Stream::of).toArray(String[]::new);
        return NaklabProcess.run(directory, all);
    }

    private List<Path> runs() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs/baseline"))) {
            return runs.filter(run -> !Files.isSymbolicLink(run)).toList();
        }
    }
}
