package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of a distribution with a JDK that is a script: what it says of a JDK that cannot serve, and what becomes of the exit code of one that can. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final List<String> TOOLS = List.of("bash", "readlink", "dirname", "sed");

    @TempDir
    private Path directory;

    /** The exit code and the lines that the caller of the launcher gets. */
    private record Answer(int exitCode, String out, String err) {}

    @BeforeEach
    void makeDistribution() throws IOException {
        Files.copy(ROOT.resolve("naklab"), directory.resolve("naklab"));
        Files.createDirectories(directory.resolve("lib"));
        Files.createDirectories(directory.resolve("tools"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVA_VERSION="11.0.2"      | exit 0                                       | version 11; NAK Lab needs JDK 17 or later (set JAVA_HOME)
            JAVA_VERSION="1.8.0_392"   | exit 0                                       | version 8; NAK Lab needs JDK 17 or later (set JAVA_HOME)
            ''                         | echo 'openjdk version "11.0.2" 2019-01-15' >&2 | version 11; NAK Lab needs JDK 17 or later (set JAVA_HOME)
            ''                         | exit 1                                       | version unknown; NAK Lab needs JDK 17 or later (set JAVA_HOME)
            """)
    void shouldRefuseAnOldJdk(String release, String script, String expected) throws Exception {
        Path java = jdk(release, script);
        assertRefused(launch(Map.of("JAVA_HOME", directory.resolve("jdk").toString())), java + " is " + expected);
    }

    @Test
    void shouldSayThatJavaHomeIsWrong() throws Exception {
        assertRefused(
                launch(Map.of("JAVA_HOME", "/nowhere")),
                "JAVA_HOME is /nowhere, but there is no bin/java in it; unset it or point it at a JDK 17 or later");
    }

    @Test
    void shouldSayThatThereIsNoJava() throws Exception {
        for (String tool : TOOLS) {
            script(directory.resolve("tools").resolve(tool), "exec " + executable(tool) + " \"$@\"");
        }
        assertRefused(
                launch(Map.of("PATH", directory.resolve("tools").toString())),
                "no java found; install JDK 17 or later");
    }

    /** 1 is a verdict, and the program gives it by a code that no JVM has. */
    @ParameterizedTest
    @CsvSource({"0, 0", "101, 1", "2, 2", "3, 3", "64, 64", "66, 66", "69, 69", "130, 130"})
    void shouldEndWithTheCodeOfTheProgram(int ofProgram, int expected) throws Exception {
        jdk("JAVA_VERSION=\"17.0.9\"", "echo found; exit " + ofProgram);
        assertThat(launch(Map.of("JAVA_HOME", directory.resolve("jdk").toString())))
                .isEqualTo(new Answer(expected, "found\n", ""));
    }

    @Test
    void shouldNotTakeTheFailureOfAJvmForAVerdict() throws Exception {
        jdk("JAVA_VERSION=\"17.0.9\"", "exit 1");
        Answer answer = launch(Map.of("JAVA_HOME", directory.resolve("jdk").toString()));
        assertThat(answer.exitCode()).isEqualTo(70);
        assertThat(answer.err().lines())
                .singleElement()
                .asString()
                .startsWith("naklab: the JVM exited with its own exit code 1, so there is no verdict");
    }

    private static void assertRefused(Answer answer, String expected) {
        assertThat(answer.exitCode()).as(answer.err()).isEqualTo(69);
        assertThat(answer.err().lines())
                .singleElement()
                .asString()
                .startsWith("naklab: ")
                .contains(expected);
        assertThat(answer.out()).isEmpty();
    }

    private Path jdk(String release, String script) throws IOException {
        Path home = directory.resolve("jdk");
        Path java = script(Files.createDirectories(home.resolve("bin")).resolve("java"), script);
        if (!release.isEmpty()) {
            Files.writeString(home.resolve("release"), release + "\n");
        }
        return java;
    }

    private static Path script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Answer launch(Map<String, String> environment) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        executable("bash").toString(),
                        directory.resolve("naklab").toString(),
                        "list")
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new Answer(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    private static Path executable(String name) {
        return Pattern.compile(":")
                .splitAsStream(String.valueOf(System.getenv("PATH")))
                .map(each -> Path.of(each, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}
