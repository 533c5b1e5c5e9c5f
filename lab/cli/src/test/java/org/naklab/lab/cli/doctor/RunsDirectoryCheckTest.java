package org.naklab.lab.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RunsDirectoryCheckTest {
    @TempDir
    private Path directory;

    @Test
    void shouldBeAmongTheChecksThatARunNeeds() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        List<CheckResult> found = Doctor.quick(file.resolve("runs")).stream()
                .map(Check::examine)
                .filter(check -> check.name().equals(RunsDirectoryCheck.NAME))
                .toList();
        assertThat(found).singleElement().satisfies(check -> {
            assertThat(check.ok()).isFalse();
            assertThat(check.needed()).isTrue();
            assertThat(check.found())
                    .isEqualTo("cannot make a run directory in " + file.resolve("runs") + ": " + file
                            + " is no directory");
            assertThat(check.advice()).contains("--runs DIR");
        });
    }

    /** Not even root makes a directory there. */
    @Test
    void shouldTryWhetherSomethingCanBeMade() {
        assertThat(RunsDirectoryCheck.examine(Path.of("/proc/naklab/runs")).ok())
                .isFalse();
    }

    @Test
    void shouldLeaveNothing() throws IOException {
        CheckResult check = RunsDirectoryCheck.examine(directory.resolve("new/runs"));
        assertThat(check.ok()).as(check.found()).isTrue();
        assertThat(check.found()).contains("free for " + directory.resolve("new/runs"));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }
}
