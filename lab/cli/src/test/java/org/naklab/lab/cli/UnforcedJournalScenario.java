package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;

/** A device that does not take the journal: all reads well from the page cache, and yet it is no PASS. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class UnforcedJournalScenario {
    private static final String FSYNC_THAT_FAILS = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <stdio.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>

            int fsync(int fd)
            {
                char link[64];
                char path[4096];
                snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
                ssize_t length = readlink(link, path, sizeof(path));
                if (length > 4 && memcmp(path + length - 4, ".cq4", 4) == 0) {
                    errno = EIO;
                    return -1;
                }
                return (int)syscall(SYS_fsync, fd);
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldNotPassWhenTheJournalCannotBeForced() throws Exception {
        Path library = compile();
        try (NaklabProcess naklab = NaklabProcess.runScenario(
                List.of("env", "LD_PRELOAD=" + library), "baseline", directory, "--rate", "500", "--duration", "1")) {
            NaklabOutcome outcome = naklab.outcome();

            assertThat(outcome.exitCode()).as(outcome.err()).isNotZero();
            Path run = NaklabProcess.latest(directory);
            assertThat(JournalVerifier.verify(run.resolve("journal")).passed()).isTrue();
            JsonNode conditions =
                    Json.parse(Files.readString(run.resolve("run.json"))).path("conditions");
            assertThat(conditions.findValuesAsText("claim")).contains("journal is on disk");
            assertThat(verdictOf(conditions, "journal is on disk")).isEqualTo("fail");
            assertThat(conditions.findValuesAsText("figures"))
                    .anyMatch(figures -> figures.matches("mds: cannot force .*\\.cq4 to disk: sync failed"));
        }
    }

    private static String verdictOf(JsonNode conditions, String claim) {
        for (JsonNode condition : conditions) {
            if (condition.path("claim").asText().equals(claim)) {
                return condition.path("verdict").asText();
            }
        }
        return "";
    }

    private Path compile() throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("fsync.c"), FSYNC_THAT_FAILS);
        Path library = directory.resolve("fsync.so");
        assumeThat(Path.of("/usr/bin/cc")).as("a C compiler").exists();
        Process compiler = new ProcessBuilder(
                        "/usr/bin/cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        return library;
    }
}
