package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Verdict;

/** With a script in the place of the matrix that writes the results of some tests. */
@Timeout(60)
final class MatrixRunnerTest {
    private static final SeedRunner OTHERS =
            (cell, seed, faults, cancellation) -> SeedResult.unknown("another runner", "again", 0, null);

    @TempDir
    private Path root;

    private void write(String script) throws IOException {
        Path file = root.resolve(".ci/matrix");
        Files.createDirectories(root.resolve(".ci"));
        Files.writeString(file, "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\necho \"$@\"\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static String line(String test, String result, String reason) {
        return "printf 'c0ffee\\t" + test + "\\t" + test + " of Some\\t1.0\\t1\\t" + result + "\\t" + reason
                + "\\n' >>target/matrix.tsv\n";
    }

    private SeedResult run(long part) throws InterruptedException {
        return new MatrixRunner(root, root.resolve("campaign"), 3, OTHERS)
                .run(new Cell(MatrixRunner.SCENARIO, "none"), part, List.of(), new Cancellation());
    }

    @Test
    void shouldRunAPartOfTheMatrix() throws Exception {
        write(line("first", "passed", "") + line("second", "skipped", "no engine"));
        SeedResult result = run(2);
        assertThat(result.verdict()).isEqualTo(Verdict.PASS);
        assertThat(result.claim()).isNull();
        assertThat(result.replay()).endsWith(".ci/matrix -Dnaklab.shard=2/3 -Dnaklab.matrix.resume=true");
        assertThat(root.resolve("campaign/matrix-2.log")).hasContent("-Dnaklab.shard=2/3 -Dnaklab.matrix.resume=true");
    }

    @Test
    void shouldNameTheFirstTestThatFailsInItsOwnPart() throws Exception {
        write(line("first", "failed", "was 3"));
        assertThat(run(1).claim()).isEqualTo("first of Some: was 3");
        write(line("second", "failed", "was 4") + "exit 1\n");
        SeedResult result = run(2);
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.claim()).isEqualTo("second of Some: was 4");
        write(line("third", "failed", "was 5") + line("third", "passed", ""));
        assertThat(run(3).verdict()).as("the last result of a test counts").isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldNotKnowWhatABuildWithoutResultsShows() throws Exception {
        write("exit 1\n");
        SeedResult result = run(1);
        assertThat(result.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(result.claim()).contains("exit code 1", "matrix-1.log");
    }

    @Test
    void shouldLeaveTheCanaryToTheOtherRunner() throws Exception {
        write("exit 1\n");
        assertThat(new MatrixRunner(root, root, 3, OTHERS)
                        .run(Cell.CANARY, 1, List.of(), new Cancellation())
                        .claim())
                .isEqualTo("another runner");
    }

    @Test
    void shouldRefuseWithoutASourceTree() {
        assertThatThrownBy(() -> new MatrixRunner(root, root, 3, OTHERS))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("source tree");
    }
}
