package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;

/** The disk that runs are kept on becomes full while events flow: the run ends with a record, a report and a place in the history. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class FullDiskScenario {
    private static final String SIZE = "size=160m";

    @TempDir
    private Path directory;

    private Path disk = Path.of("none");
    private boolean mounted;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        disk = Files.createDirectory(directory.resolve("runs"));
        mounted = command("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", disk.toString()) == 0;
        assumeThat(mounted).as("a file system of its own, which takes root").isTrue();
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted) {
            assertThat(command("umount", disk.toString())).isZero();
        }
    }

    @Test
    void shouldEndWithRecordReportAndHistory() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, "--rate", "2000", "--duration", "6")) {
            naklab.awaitFlow();
            fill();
            assertThat(naklab.awaitExit()).as(naklab.err()).isBetween(1, 2);
            assertThat(naklab.err()).doesNotContain("internal error");

            Path run = NaklabProcess.latest(directory);
            JsonNode record = Json.read(run.resolve("run.json"), JsonNode.class);
            assertThat(record.path("verdict").asText()).isIn("unknown", "fail");
            assertThat(record.path("diagnosis").asText()).isNotEqualTo("clean");
            assertThat(record.path("troubles").toString()).contains("samples.csv.gz", "No space left");
            assertThat(run.resolve("diagnosis.json")).isNotEmptyFile();
            assertThat(run.resolve("report.html")).isNotEmptyFile();
            assertThat(run.resolve(".reserve")).doesNotExist();
        }
        try (NaklabProcess history = NaklabProcess.command(directory, "history", "--runs", disk.toString(), "--json")) {
            assertThat(history.awaitExit()).as(history.err()).isZero();
            assertThat(history.out()).contains("baseline");
        }
    }

    /** To the last byte. */
    private void fill() throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(disk.resolve("filler"))) {
            for (int length = block.length; length > 0; length /= 2) {
                fill(filler, block, length);
            }
        }
    }

    private static void fill(OutputStream filler, byte[] block, int length) {
        try {
            while (true) {
                filler.write(block, 0, length);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private static int command(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
