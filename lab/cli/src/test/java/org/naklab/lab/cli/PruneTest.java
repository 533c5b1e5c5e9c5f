package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.StartRecord;
import org.naklab.lab.runs.history.StartedRun;
import org.naklab.lab.terminal.runs.RunDisk;

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
        String expected = "2 runs, " + onDisk(old(1), old(2)) + " deleted";
        CommandLineRun pruned = prune("--keep", "1");
        assertThat(pruned.exitCode()).as(pruned.err()).isZero();
        assertThat(pruned.outLines()).last().isEqualTo(expected);
        assertThat(runs.resolve("mystery").resolve(name(1))).doesNotExist();
        assertThat(runs.resolve("mystery").resolve(name(2))).doesNotExist();
        assertThat(runs.resolve("mystery/latest/run.json")).exists();
        assertThat(runs.resolve("baseline").resolve(name(1))).exists();
    }

    @Test
    void shouldDeleteNothingOnADryRun() {
        CommandLineRun pruned = prune("--keep", "1", "--dry-run");
        assertThat(pruned.outLines())
                .hasSize(3)
                .last()
                .isEqualTo("2 runs, " + onDisk(old(1), old(2)) + " would be deleted");
        assertThat(runs.resolve("mystery").resolve(name(1)).resolve("journal/a.cq4"))
                .exists();
    }

    @Test
    void shouldDeleteOnlyJournals() {
        String expected = "1 journal, " + onDisk(old(1).resolve("journal")) + " deleted";
        assertThat(prune("--keep", "2", "--journals").outLines()).last().isEqualTo(expected);
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

        String expected = "1 run, " + onDisk(old(2)) + " deleted";
        assertThat(prune("--keep", "1").outLines()).last().isEqualTo(expected);

        assertThat(runs.resolve("mystery").resolve(name(1))).exists();
        assertThat(mine).exists();
        assertThat(outside.resolve("run.json")).exists();
    }

    /** The lock of this test's own process counts as a lab that is alive. */
    @Test
    void shouldDeleteARunWhoseLabWasKilledAndNoneThatGoesOn() throws IOException {
        Files.delete(old(1).resolve("run.json"));
        StartRecord known = Json.value(Json.object().put("scenario", "killed"), StartRecord.class);
        StartedRun started = StartedRun.begin(old(1), known);
        assertThat(prune("--keep", "1").outLines()).last().asString().startsWith("1 run, ");
        assertThat(old(1)).exists();
        started.close();

        assertThat(prune("--keep", "1").outLines()).last().asString().startsWith("1 run, ");

        assertThat(old(1)).doesNotExist();
        assertThat(CommandLineRun.of("history", "--runs", runs.toString()).outLines())
                .as("the history keeps what is known of it")
                .anySatisfy(line -> assertThat(line).contains("killed"));
    }

    /** The files of a journal are long and mostly holes: what is freed is what they take. */
    @Test
    void shouldTellWhatIsFreedOnTheDisk() throws IOException {
        Path file = old(1).resolve("journal/a.cq4");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 30);
        }
        assertThat(prune("--keep", "2", "--dry-run").outLines())
                .last()
                .asString()
                .startsWith("1 run, ")
                .doesNotContain("GiB");
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

    private Path old(int day) {
        return runs.resolve("mystery").resolve(name(day));
    }

    private static String onDisk(Path... directories) {
        return Format.bytes(
                Stream.of(directories).mapToLong(RunDisk::allocatedBytes).sum());
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
