package org.naklab.lab.cli.ci;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The step of the GitHub Action, with a program in place of naklab that ends as a watch does. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WatchActionTest {
    private static final Path STEP =
            Path.of(System.getProperty("naklab.root"), ".github/actions/naklab-watch/watch-step");

    @TempDir
    private Path directory;

    private Path calls;
    private Path summary;
    private Path outputs;

    private record Ended(int exitCode, String printed) {}

    @BeforeEach
    void prepare() throws IOException {
        calls = directory.resolve("calls");
        summary = Files.createFile(directory.resolve("summary.md"));
        outputs = Files.createFile(directory.resolve("outputs"));
    }

    /** A watch ends with the process that it is told, and says only then what it found. */
    private void installWatch(String beginning, int exitCode, String found) throws IOException {
        Path program = Files.createDirectories(directory.resolve("bin")).resolve("naklab");
        Files.writeString(program, """
                #!/bin/sh
                echo "$@" >>"%s"
                [ "$1" = bundle ] && exec touch "$4"
                echo '%s'
                while kill -0 "$8" 2>/dev/null; do sleep 0.02; done
                mkdir -p "$6"; %s exit %d
                """.formatted(calls, beginning, found, exitCode));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Ended step(String command, String fail) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(STEP.toString()).directory(directory.toFile());
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        directory.resolve("bin") + ":/usr/bin:/bin",
                        "NAKLAB_RUN",
                        command,
                        "NAKLAB_PROCESSES",
                        "receiver",
                        "NAKLAB_FAIL",
                        fail,
                        "GITHUB_STEP_SUMMARY",
                        summary.toString(),
                        "GITHUB_OUTPUT",
                        outputs.toString()));
        Process process = builder.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), printed);
    }

    private static final String BEGUN = "waiting for a process that matches receiver";
    private static final String LOST = "echo 96 datagrams, dropped by a full socket; echo >\"$6/run.json\";";

    @Test
    void shouldWriteSummaryAndBundleWhenSomethingWasLost() throws Exception {
        installWatch(BEGUN, 3, LOST);
        Ended ended = step("echo tested", "false");

        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        assertThat(ended.printed())
                .contains("tested")
                .contains("::warning title=naklab-watch::a receiver stalled or datagrams were lost");
        assertThat(summary).content().contains("### naklab-watch").contains("96 datagrams, dropped by a full socket");
        assertThat(outputs).hasContent("found=true\nbundle=naklab-watch.zip\n");
        assertThat(directory.resolve("naklab-watch.zip")).exists();
        assertThat(calls).content().matches("""
                watch --name receiver --plain --record naklab-watch --while [0-9]+
                bundle naklab-watch -o naklab-watch.zip
                """);
    }

    @Test
    void shouldFailOnALossWhereThatIsWanted() throws Exception {
        installWatch(BEGUN, 3, LOST);
        Ended ended = step("true", "true");
        assertThat(ended.exitCode()).as(ended.printed()).isEqualTo(3);
    }

    @Test
    void shouldEndWithTheCodeOfTheCommand() throws Exception {
        installWatch(BEGUN, 3, LOST);
        Ended lost = step("exit 7", "true");
        assertThat(lost.exitCode()).as(lost.printed()).isEqualTo(7);
        installWatch(BEGUN, 0, "");
        Ended quiet = step("exit 8", "true");
        assertThat(quiet.exitCode()).as(quiet.printed()).isEqualTo(8);
    }

    @Test
    void shouldBeSilentWhenNothingWasFound() throws Exception {
        installWatch(BEGUN, 0, "");
        Ended ended = step("true", "true");

        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        assertThat(ended.printed()).doesNotContain("::");
        assertThat(summary).isEmptyFile();
        assertThat(outputs).hasContent("found=false\n");
    }

    @Test
    void shouldNotCallALossWhatTheWatchCouldNotTell() throws Exception {
        installWatch(BEGUN, 2, "echo not seen: all;");
        Ended ended = step("true", "true");

        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        assertThat(ended.printed())
                .contains("::warning title=naklab-watch::the watch could not tell (exit code 2): not seen: all");
        assertThat(outputs).isEmptyFile();
    }

    @Test
    void shouldSayWhereToGetNaklab() throws Exception {
        Ended ended = step("echo tested", "false");

        assertThat(ended.exitCode()).isEqualTo(69);
        assertThat(ended.printed())
                .isEqualTo(
                        "::error title=naklab-watch::there is no naklab on the PATH; docs/how-to/release.md says how to install it\n");
    }
}
