package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunFileReader;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RunsCommandTest {
    private static final String PASSED = "2026-11-21T03-26-10.052Z-42";
    private static final String FAILED = "2026-11-21T03-27-10.052Z-42";

    @TempDir
    private Path runs;

    @Test
    void shouldListTheLatestRunsByNamesThatOtherCommandsTake() throws Exception {
        keep("0.1.0-mystery-pass", "mystery", PASSED);
        keep("0.1.0-baseline-fail", "baseline", FAILED);

        CommandLineRun all = CommandLineRun.of("runs", "--runs", runs.toString());
        assertThat(all.exitCode()).as(all.err()).isZero();
        assertThat(all.outLines()).hasSize(3);
        assertThat(all.outLines().get(0))
                .containsSubsequence("run", "scenario", "verdict", "stall", "lost", "diagnosis");
        assertThat(all.outLines()).anySatisfy(line -> assertThat(line)
                .containsSubsequence(PASSED, "mystery", "pass", " ms", "late-binding"));
        assertThat(all.outLines()).anySatisfy(line -> assertThat(line).containsSubsequence(FAILED, "baseline", "fail"));

        CommandLineRun last = CommandLineRun.of("runs", "--runs", runs.toString(), "--last", "1");
        assertThat(last.outLines()).hasSize(3).last().asString().contains("and 1 earlier (--last)");
        assertThat(CommandLineRun.of("runs", "mystery", "--runs", runs.toString())
                        .out())
                .contains(PASSED)
                .doesNotContain(FAILED);
        CommandLineRun compared = CommandLineRun.of("history", "compare", PASSED, FAILED, "--runs", runs.toString());
        assertThat(compared.exitCode()).as(compared.err()).isZero();
    }

    private void keep(String golden, String scenario, String name) throws IOException, URISyntaxException {
        Path from = Path.of(Objects.requireNonNull(
                                RunsCommandTest.class.getResource("/org/naklab/lab/golden/README.md"), "README.md")
                        .toURI())
                .resolveSibling(golden);
        Path directory = Files.createDirectories(runs.resolve(scenario).resolve(name));
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : List.copyOf(files.toList())) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
        Path run = directory.resolve("run.json");
        Files.writeString(run, Files.readString(run).replace("/runs/golden/" + golden, directory.toString()));
        History.open(HistoryUrl.inRuns(runs)).add(RunFileReader.read(directory));
    }
}
