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

/** What the launcher's caller is told: 1 is a verdict, and no failure of the program or of its JVM. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class ExitCodeScenario {
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
        for (String jars : List.of("lab/target", "lab/target/lib")) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(root.resolve(jars), "*.jar")) {
                for (Path jar : each) {
                    link(distribution.resolve("lib").resolve(jar.getFileName()), jar);
                }
            }
        }
        assumeThat(root.resolve("lab/target/lib")).as("the packaged libraries").isDirectory();
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
        assertThat(shell("exec \"$@\"", "books", "nosuch").exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            export JAVA_TOOL_OPTIONS=-Xmx1k                   | the JVM ended with its own exit code 1
            export JAVA_TOOL_OPTIONS=-Xmxnonsense              | the JVM ended with its own exit code 1
            ulimit -v 1500000                                 | the JVM ended with its own exit code 1
            rm -r "${0%/naklab}/distribution/lib"             | the JVM ended with its own exit code 1
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
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
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
