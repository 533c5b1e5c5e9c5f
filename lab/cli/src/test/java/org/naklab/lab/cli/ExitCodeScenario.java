package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** The launcher tells its caller the verdict and why there is none: 1 is a verdict, and no failure of the program or of its JVM. */
@Live(runs = 0)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class ExitCodeScenario {
    /** To the last byte, and not unless the disk is the cause. */
    private static final String FILL_DISK = "if cat /dev/zero >disk/filler 2>filled; then exit 99; fi; "
            + "grep -q 'No space left' filled; if echo x 2>filled >disk/more; then exit 99; fi";

    @TempDir
    private Path directory;

    private Path launcher;

    /** As in the image: the launcher beside its libraries, so that nothing is built. */
    @BeforeEach
    void makeDistribution() throws IOException {
        Path root = Installation.current().root();
        Path distribution = directory.resolve("distribution");
        Files.createDirectories(distribution.resolve("lib"));
        launcher = Files.createSymbolicLink(directory.resolve("naklab"), distribution.resolve("naklab"));
        Files.copy(root.resolve("naklab"), distribution.resolve("naklab"));
        Files.copy(Installation.current().jvmOptions(), distribution.resolve("jvm.options"));
        for (String jars : List.of("lab/cli/target", "lab/cli/target/lib")) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(root.resolve(jars), "*.jar")) {
                for (Path jar : each) {
                    link(distribution.resolve("lib").resolve(jar.getFileName()), jar);
                }
            }
        }
        assumeThat(root.resolve("lab/cli/target/lib"))
                .as("the packaged libraries")
                .isDirectory();
    }

    /** Many megabytes: copied only where the directory is on another disk. */
    private static void link(Path link, Path jar) throws IOException {
        try {
            Files.createLink(link, jar);
        } catch (FileSystemException | UnsupportedOperationException ofAnotherDisk) {
            Files.copy(jar, link);
        }
    }

    @Test
    void shouldEndWithOneForAVerdictOnly() throws IOException {
        Path journal = brokenJournal();
        assertThat(shell("exec \"$@\"", "journal", "verify", journal.toString()).exitCode())
                .isEqualTo(1);
        List<String> java = Installation.current()
                .command(List.of(), Naklab.class, List.of("journal", "verify", journal.toString()));
        assertThat(NaklabProcess.of(java, directory).awaitExit()).isEqualTo(1);
        assertThat(shell("exec \"$@\"", "list").exitCode()).isZero();
        assertThat(shell("exec \"$@\"", "run", "nosuch").exitCode()).isEqualTo(64);
        assertThat(shell("exec \"$@\"", "books", "nosuch").exitCode()).isEqualTo(66);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            export JAVA_TOOL_OPTIONS=-Xmx1k                   | the JVM exited with its own exit code 1
            export JAVA_TOOL_OPTIONS=-Xmxnonsense              | the JVM exited with its own exit code 1
            ulimit -v 1500000                                 | the JVM exited with its own exit code 1
            rm -r "${0%/naklab}/distribution/lib"             | the JVM exited with its own exit code 1
            """)
    void shouldEndWithSeventyWhenThereIsNoProgram(String before, String expected) throws IOException {
        NaklabOutcome outcome = shell(before + "; cd \"${0%/naklab}\"; exec \"$@\"", "list");
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(70);
        assertThat(outcome.err().lines().filter(line -> line.startsWith("naklab: ")))
                .singleElement()
                .asString()
                .contains(expected);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "{hs_err,replay,core}*")) {
            assertThat(left).isEmpty();
        }
    }

    /** Process 1 has all capabilities, and who has fewer may not look into it. */
    @Test
    void shouldRefuseToWatchAProcessForWhichTheUserLacksRights() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("root, who can give up a capability")
                .isEqualTo("root");
        NaklabOutcome watch = shell(
                "exec setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace \"$@\"",
                "watch",
                "1",
                "--duration",
                "1");
        assertThat(watch.exitCode()).as(watch.err()).isEqualTo(69);
        assertThat(watch.err().lines())
                .singleElement()
                .asString()
                .startsWith("naklab: cannot read the sockets of process 1: ")
                .doesNotContain("/proc/1/ns/net: /proc/1/ns/net")
                .endsWith("; run as the user of the process, or as root with CAP_SYS_PTRACE");
    }

    /** The user learns it at once, not when the processes have been started. */
    @Test
    void shouldRefuseAScenarioForWhichTheUserLacksAPrivilege() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("root, who can give up a capability")
                .isEqualTo("root");
        String without = "exec setpriv --bounding-set -sys_nice --inh-caps -sys_nice \"$@\"";

        NaklabOutcome run = shell(without, "run", "machine-stalled");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(69);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("machine-stalled cannot run here: a real-time priority needs CAP_SYS_NICE");

        for (String fault : List.of("machine-stall:stall=50ms", "cpu-contention:realTime=true")) {
            NaklabOutcome added = shell(without, "run", "baseline", "--fault", fault);
            assertThat(added.exitCode()).as(added.err()).isEqualTo(69);
            assertThat(added.err().lines())
                    .singleElement()
                    .asString()
                    .contains("cannot be injected here: a real-time priority needs CAP_SYS_NICE");
        }

        assertThat(shell(without, "list").out().lines().filter(line -> line.contains("not here")))
                .extracting(line -> line.replaceAll(" .*", ""))
                .containsExactly("cpu-preemption", "machine-stalled");
        assertThat(shell("exec \"$@\"", "list").out()).doesNotContain("not here");
    }

    /** There is no room for the sampler's native library, nor for that of the history; both are done without. */
    @Test
    @Matrix
    void shouldRunWithoutRoomForTemporaryFiles() throws IOException {
        NaklabOutcome outcome = NaklabOutcome.passed("ExitCodeScenario", this::runOnFullDisk);
        assertThat(outcome.out())
                .as(outcome.err())
                .containsPattern("(?m)^PASS ")
                .contains("journal verifies");
        assertThat(outcome.err())
                .contains("note: the run is not in the history")
                .doesNotContain("internal error", "Exception", "\tat ");
        assertThat(directory.resolve("runs/latest/run.json")).isNotEmptyFile();
    }

    private NaklabOutcome runOnFullDisk() throws IOException {
        String port = String.valueOf(FreePorts.pair());
        String runs = directory.resolve("runs").toString();
        return onFullDisk(
                "export JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=\"$disk\"",
                List.of(
                        "run",
                        "baseline",
                        "--port",
                        port,
                        "--rate",
                        "500",
                        "--duration",
                        "1",
                        "--verbose",
                        "--runs",
                        runs));
    }

    /** The pages that a journal's file does not have on such a disk are none that a reader needs. */
    @Test
    void shouldVerifyASoundJournalOnAFullDisk() throws IOException {
        Path journal = SmallJournal.write(directory.resolve("sound"), 3_000, 3_000, 3_000);
        NaklabOutcome outcome = onFullDisk("", List.of("journal", "verify", "disk/sound"), journal);
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("events       3000, sequences 1 to 3000")
                .containsPattern("(?m)^PASS ");
        assertThat(outcome.err()).isEmpty();
    }

    /** A journal that cannot be read is not known to be broken: that is no verdict, and one line. */
    @Test
    void shouldGiveNoVerdictOnAJournalThatAFullDiskDoesNotGive() throws IOException {
        Path journal = SmallJournal.write(directory.resolve("sound"), 3_000, 3_000, 3_000);
        NaklabOutcome outcome = onFullDisk(
                "fallocate --punch-hole --offset 0 --length 4096 disk/sound/*.cq4",
                List.of("journal", "verify", "disk/sound"),
                journal);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isEqualTo(66);
        assertThat(outcome.err().lines())
                .singleElement()
                .asString()
                .matches("naklab: cannot read disk/sound\\S*: the disk does not give its content .*");
    }

    /**
     * Runs the launcher where {@code $disk}, also called {@code disk}, is a small file system that holds copies of some files and has no
     * byte left. Only the launcher and its children see it, and it ends with them.
     *
     * @param before shell commands that come before it is filled
     */
    private NaklabOutcome onFullDisk(String before, List<String> arguments, Path... files) throws IOException {
        assumeThat(succeeds("unshare", "--mount", "true"))
                .as("mounts of its own, which take root")
                .isTrue();
        Path disk = Files.createDirectories(directory.resolve("disk"));
        String copies = Stream.of(files)
                .map(file -> "cp -r --sparse=always " + file + " disk; ")
                .collect(Collectors.joining());
        String script = "set -e; cd " + directory + "; disk=" + disk + "; mount -t tmpfs -o size=4m naklab disk; "
                + copies + before + "\n" + FILL_DISK + "\nexec \"$@\"";
        List<String> command = new ArrayList<>(
                List.of("unshare", "--mount", "bash", "-c", script, launcher.toString(), launcher.toString()));
        command.addAll(arguments);
        return NaklabProcess.of(command, directory).outcome();
    }

    private static boolean succeeds(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** 300 MB in 300 kB. */
    @Test
    void shouldRefuseALineWithoutAnEnd() throws IOException {
        Path bomb = directory.resolve("bomb.csv.gz");
        byte[] digits = new byte[1_000_000];
        Arrays.fill(digits, (byte) '1');
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
            for (int i = 0; i < 300; i++) {
                out.write(digits);
            }
        }
        NaklabOutcome outcome = shell("export JAVA_TOOL_OPTIONS=-Xmx64m; exec \"$@\"", "books", bomb.toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(66);
        assertThat(outcome.err()).contains("row 1: is longer than");
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    void shouldPassOnSignals(String signal, int code) throws IOException {
        try (NaklabProcess serve = serve("exec \"$@\"")) {
            List<ProcessHandle> children = serve.children();
            assertThat(children).isNotEmpty();
            serve.signal(signal, serve.handle());
            assertThat(serve.awaitExit()).as(serve.err()).isEqualTo(code);
            serve.awaitGone(children);
        }
    }

    @Test
    void shouldEndTheJvmWhenTheLauncherIsKilled() throws IOException {
        assumeThat(Files.exists(Path.of("/usr/bin/setpriv"))).as("setpriv").isTrue();
        try (NaklabProcess serve = serve("exec \"$@\"")) {
            List<ProcessHandle> children = serve.children();
            serve.signal("KILL", serve.handle());
            serve.awaitGone(children);
        }
    }

    /** A background job of a script does not hear the terminal's Ctrl-C, and its JVM must not either. */
    @Test
    void shouldStayDeafToCtrlCInTheBackground() throws IOException {
        try (NaklabProcess serve = serve("trap '' INT; exec \"$@\"")) {
            for (ProcessHandle process : serve.children()) {
                serve.signal("INT", process);
            }
            serve.signal("INT", serve.handle());
            serve.signal("TERM", serve.handle());
            assertThat(serve.awaitExit()).as(serve.err()).isEqualTo(143);
        }
    }

    private NaklabProcess serve(String shell) throws IOException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        NaklabProcess serve = start(shell, "serve", "--port", "18080", "--runs", runs.toString());
        serve.await(
                "the dashboard",
                () -> serve.out().contains("at http") || !serve.handle().isAlive());
        assertThat(serve.handle().isAlive()).as(serve.err()).isTrue();
        return serve;
    }

    private NaklabOutcome shell(String script, String... arguments) throws IOException {
        return start(script, arguments).outcome();
    }

    private NaklabProcess start(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, launcher.toString(), launcher.toString()));
        command.addAll(List.of(arguments));
        return NaklabProcess.of(command, directory);
    }

    /** A queue that holds what no journal does. */
    private Path brokenJournal() {
        Path journal = directory.resolve("journal");
        try (SingleChronicleQueue queue =
                        SingleChronicleQueueBuilder.binary(journal).build();
                ExcerptAppender appender = queue.createAppender()) {
            appender.writeBytes(bytes -> bytes.write("no event".getBytes(StandardCharsets.US_ASCII)));
        }
        return journal;
    }
}
