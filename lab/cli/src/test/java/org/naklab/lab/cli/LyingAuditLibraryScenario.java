package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/**
 * The mystery in a build whose audit library delays the bind and denies it. The diagnosis must be the one that {@link MysteryScenario} requires of an
 * honest build; only the proof of the fault, which rests on that word, fails.
 */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class LyingAuditLibraryScenario {
    private static final int UNKNOWN = 2;
    private static final String HONEST = "record->held_up = delay_ns > 0;";
    private static final String LYING = "record->held_up = 0;";

    @TempDir
    private Path directory;

    @Test
    void shouldDiagnoseTheSameWhenTheAuditLibraryDeniesItsDelay() throws IOException, InterruptedException {
        String missing = NativeLibraries.unavailableReason().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        Installation lying = lyingInstallation();
        JsonNode diagnosis = LiveRun.make("LyingAuditLibraryScenario", () -> diagnosis(lying));
        assertThat(diagnosis.path("cause").asText()).isEqualTo("late-binding-delay");
        assertThat(diagnosis.path("confidence").asText()).isEqualTo("certain");
        String timeline = Files.readString(NaklabProcess.latest(directory).resolve("timeline.jsonl"));
        assertThat(timeline).contains("SYMBOL_BOUND", "\"delayed\":false").doesNotContain("\"delayed\":true");
    }

    private JsonNode diagnosis(Installation lying) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(lying, "mystery", directory, "--fidelity", "audited", "--json")) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(outcome.exitCode())
                    .as("the fault is unproven without the library's word: " + outcome.err())
                    .isEqualTo(UNKNOWN);
        }
        return Json.read(NaklabProcess.latest(directory).resolve("diagnosis.json"), JsonNode.class);
    }

    /** The class path finds the other build of the libraries before that of the jar. */
    private Installation lyingInstallation() throws IOException, InterruptedException {
        Installation honest = Installation.current();
        Path sources = copyOf(honest.root().resolve("faults/src/main/c"));
        Path library = sources.resolve("naklab_audit.c");
        String source = Files.readString(library);
        assertThat(source).as("what the library says of itself").containsOnlyOnce(HONEST);
        Files.writeString(library, source.replace(HONEST, LYING));
        Path classes = directory.resolve("lying");
        Path output = Files.createDirectories(classes.resolve("org/naklab/faults/binding/native"));
        Process build = new ProcessBuilder(List.of(
                        "sh",
                        sources.resolve("build.sh").toString(),
                        output.toString(),
                        System.getProperty("java.home")))
                .inheritIO()
                .start();
        assertThat(build.waitFor()).isZero();
        assertThat(output.resolve("libnaklab_audit.so")).exists();
        return new Installation(
                honest.root(),
                honest.java(),
                honest.jvmOptions(),
                classes + File.pathSeparator + honest.classPath(),
                null);
    }

    private Path copyOf(Path sources) throws IOException {
        Path copy = Files.createDirectories(directory.resolve("sources"));
        try (var files = Files.list(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        return copy;
    }
}
