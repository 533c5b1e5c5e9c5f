package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PruneTest {
    @TempDir
    private Path directory;

    private Path runs;

    @BeforeEach
    void makeRuns() throws IOException {
        runs = Files.createDirectory(directory.resolve("runs"));
        run("mystery", 1);
        run("mystery", 2);
        run("mystery", 3);
        run("baseline", 1);
        Files.createSymbolicLink(runs.resolve("mystery/latest"), Path.of(name(3)));
    }

    @Test
    void shouldKeepTheLatestOfEachScenario() {
        CommandLineRun pruned = prune("--keep", "1");
        assertThat(pruned.exitCode()).as(pruned.err()).isZero();
        assertThat(pruned.outLines()).last().isEqualTo("2 runs, 2,004 B deleted");
        assertThat(runs.resolve("mystery").resolve(name(1))).doesNotExist();
        assertThat(runs.resolve("mystery").resolve(name(2))).doesNotExist();
        assertThat(runs.resolve("mystery/latest/run.json")).exists();
        assertThat(runs.resolve("baseline").resolve(name(1))).exists();
    }

    @Test
    void shouldDeleteNothingOnADryRun() {
        CommandLineRun pruned = prune("--keep", "1", "--dry-run");
        assertThat(pruned.outLines()).hasSize(3).last().isEqualTo("2 runs, 2,004 B would be deleted");
        assertThat(runs.resolve("mystery").resolve(name(1)).resolve("journal/a.cq4"))
                .exists();
    }

    @Test
    void shouldDeleteOnlyJournals() {
        assertThat(prune("--keep", "2", "--journals").outLines()).last().isEqualTo("1 journal, 1,000 B deleted");
        assertThat(runs.resolve("mystery").resolve(name(1)).resolve("run.json")).exists();
        assertThat(runs.resolve("mystery").resolve(name(1)).resolve("journal")).doesNotExist();
    }

    /** Neither a run that goes on, nor a directory that somebody else put there, nor what a link points to. */
    @Test
    void shouldDeleteNothingButFinishedRuns() throws IOException {
        Files.delete(runs.resolve("mystery").resolve(name(1)).resolve("run.json"));
        Path mine = Files.createDirectory(runs.resolve("mystery/my-notes"));
        Files.writeString(mine.resolve("run.json"), "{}");
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("run.json"), "{}");
        Files.createSymbolicLink(runs.resolve("mystery").resolve(name(0)), outside);

        assertThat(prune("--keep", "1").outLines()).last().isEqualTo("1 run, 1,002 B deleted");

        assertThat(runs.resolve("mystery").resolve(name(1))).exists();
        assertThat(mine).exists();
        assertThat(outside.resolve("run.json")).exists();
    }

    @Test
    void shouldNameADirectoryThatIsNotThere() {
        CommandLineRun pruned =
                CommandLineRun.of("prune", "--runs", directory.resolve("nosuch").toString());
        assertThat(pruned.exitCode()).isEqualTo(66);
        assertThat(pruned.errLines()).singleElement().asString().contains("there is no such directory");
    }

    private CommandLineRun prune(String... options) {
        List<String> arguments = new ArrayList<>(List.of("prune", "--runs", runs.toString()));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    private void run(String scenario, int day) throws IOException {
        Path run = Files.createDirectories(runs.resolve(scenario).resolve(name(day)));
        Files.writeString(run.resolve("run.json"), "{}");
        Files.write(Files.createDirectory(run.resolve("journal")).resolve("a.cq4"), new byte[1_000]);
    }

    private static String name(int day) {
        return "2026-11-0" + day + "T10-00-00.000Z-42";
    }
}
