package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exercise of docs/how-to/bindings.md: its commands, as they stand there. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LazyBindingExerciseTest {
    private static final Path DOCS = Path.of(System.getProperty("naklab.root"), "docs");

    @TempDir
    private Path directory;

    @Test
    void shouldShowThatTheFirstCallBinds() throws Exception {
        Files.copy(DOCS.resolve("examples/lazy-binding/call_sched_yield.c"), directory.resolve("call_sched_yield.c"));
        List<String> commands = commands();
        assertThat(commands).hasSize(4);
        run(commands.get(0));
        assertThat(run(commands.get(1)))
                .filteredOn(line -> !line.contains("initialize")
                        && (line.contains("transferring control: ") || line.contains("symbol `sched_yield'")))
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first).contains("transferring control: ./call_sched_yield"),
                        second -> assertThat(second).contains("normal symbol `sched_yield'"));
        assertThat(run(commands.get(2)))
                .filteredOn(line -> line.contains("transferring control: ") || line.contains("symbol `sched_yield'"))
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first).contains("normal symbol `sched_yield'"),
                        second -> assertThat(second).contains("transferring control: ./call_sched_yield"));
        assertThat(run(commands.get(3))).anyMatch(line -> line.matches(".*call.*<sched_yield@plt>"));
    }

    /** Returns the commands of the exercise's block. */
    private static List<String> commands() throws IOException {
        String page = Files.readString(DOCS.resolve("how-to/bindings.md"));
        String exercise = page.substring(page.indexOf("## Exercise"));
        String block = exercise.substring(exercise.indexOf("```sh") + 5);
        return block.substring(0, block.indexOf("```")).strip().lines().toList();
    }

    private List<String> run(String command) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        List<String> lines = shell.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertThat(shell.waitFor()).as(command + ": " + lines).isZero();
        return lines;
    }
}
