package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Live;

/** The class-data archive of the build serves the command line and its child processes. */
@Live(runs = 0)
final class ClassArchiveScenario {
    /** Of the classes of the project; those added since the list was made are loaded from their jars. */
    private static final double LEAST_SHARE = 0.7;

    @TempDir
    private Path directory;

    @Test
    void shouldLoadMostClassesFromTheArchive() throws IOException {
        assertThat(shareFromArchive(Installation.current())).isGreaterThan(LEAST_SHARE);
    }

    /** That of another class path is not used, and nothing is printed about it. */
    @Test
    void shouldRunWithoutAFittingArchive() throws IOException {
        Installation here = Installation.current();
        Installation moved = new Installation(
                here.root(),
                here.java(),
                here.jvmOptions(),
                Installation.current().withOwnClassPath().classPath(),
                here.archive());
        assertThat(shareFromArchive(moved)).isZero();
    }

    private double shareFromArchive(Installation installation) throws IOException {
        Path log = directory.resolve("classes.log");
        List<String> command =
                installation.command(List.of("-Xlog:class+load:file=" + log), Naklab.class, List.of("list"));
        try (NaklabProcess naklab = NaklabProcess.of(command, directory)) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.err()).isEmpty();
        }
        List<String> own = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" org.naklab."))
                .toList();
        assertThat(own).isNotEmpty();
        long shared = own.stream()
                .filter(line -> line.contains("shared objects file"))
                .count();
        return (double) shared / own.size();
    }
}
