package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** The files that a run's service derives while it runs are those that an export makes of its journal afterwards. */
@Matrix
@Timeout(200)
final class DerivedFilesScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldDeriveTheFilesOfAnExportWhileTheServiceRuns() throws IOException {
        NaklabOutcome unused = NaklabOutcome.passed("DerivedFilesScenario", this::run);
        Path runDirectory = NaklabProcess.latest(directory);
        Path exported = directory.resolve("exported");

        CommandLineRun export = CommandLineRun.of(
                "journal",
                "export",
                runDirectory.resolve("journal").toString(),
                "--csv",
                exported.toString(),
                "--surveillance",
                exported.toString());

        assertThat(export.exitCode()).as(export.err()).isZero();
        Map<String, byte[]> derived = contents(runDirectory.resolve("derived"));
        assertThat(derived).hasSize(3);
        assertThat(derived.values())
                .allSatisfy(bytes -> assertThat(bytes.length).isGreaterThan(1_000));
        assertThat(derived.keySet()).isEqualTo(contents(exported).keySet());
        contents(exported)
                .forEach((name, bytes) -> assertThat(derived.get(name)).as(name).isEqualTo(bytes));
    }

    private NaklabOutcome run() {
        try (NaklabProcess run = NaklabProcess.run(directory, "--rate", "2000", "--duration", "1")) {
            return run.outcome();
        }
    }

    private static Map<String, byte[]> contents(Path of) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(of)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }
}
