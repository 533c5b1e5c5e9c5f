package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.process.Installation;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** The commands of the first two chapters of the tutorial, as they stand there, in one shell for each chapter, and what the chapters say of them. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class TutorialScenario {
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```python\\n(.*?)^```");
    private static final Path ROOT = Installation.current().root();
    private static final String RUNS = "data/naklab/runs";
    /** Finds the reports below the working directory that are not empty. */
    private static final String REPORTS = "find . -name report.html -size +0";

    @TempDir
    private Path directory;

    /** Holds what a chapter printed, and the directory in which it was followed. */
    private record Followed(String out, Path directory) {
        /** Requires the exit code of each line of the chapter, and that each command that makes a report has made it. */
        void hasCodes(String... lines) {
            assertThat(out.lines().filter(line -> line.startsWith("code ")))
                    .as(out)
                    .containsExactly(lines);
            assertThat(out.lines().filter(line -> line.startsWith("reports made: ")))
                    .as(out)
                    .containsExactly("reports made: 1");
        }

        /** Returns the document of the one run with a remedy. */
        JsonNode run(String remedy) throws IOException {
            try (Stream<Path> files = Files.list(directory.resolve(RUNS).resolve("mystery"))) {
                List<JsonNode> documents = files.filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                        .map(file -> Json.read(file.resolve("run.json"), JsonNode.class))
                        .filter(document -> document.path("remedy").asText().equals(remedy))
                        .toList();
                assertThat(documents).as(out).hasSize(1);
                return documents.get(0);
            }
        }
    }

    /** The incident and its remedy both go as the chapter says. */
    @Test
    void shouldExplainTheMystery() throws IOException {
        Followed followed = LiveRun.make("TutorialScenario mystery", () -> follow("mystery.md"));

        followed.hasCodes(
                "code 0 of naklab run mystery",
                "code 0 of naklab report mystery",
                "code 0 of naklab run mystery --remedy bind-now");
        assertThat(followed.out().lines().filter(line -> line.startsWith("PASS  mystery as predicted: ")))
                .as(followed.out())
                .hasSize(2);
        assertThat(followed.out()).contains("sched_yield");
        JsonNode incident = followed.run("none");
        assertThat(incident.path("stalls")).anySatisfy(stall -> {
            assertThat(stall.path("thread").asText()).isEqualTo("mds-context");
            assertThat(stall.path("account")).isNotEmpty();
        });
        assertThat(incident.path("datagramsDropped").asLong()).isPositive();
        assertThat(incident.path("naks").asLong()).isPositive();
        assertThat(incident.at("/messages/missing").asLong(-1)).isZero();
        JsonNode cured = followed.run("bind-now");
        assertThat(cured.path("datagramsDropped").asLong(-1)).isZero();
        assertThat(cured.path("naks").asLong(-1)).isZero();
    }

    @Test
    void shouldFindTheLockOfTheProgram() throws IOException {
        Followed followed = LiveRun.make("TutorialScenario your-process", () -> follow("your-process.md"));

        followed.hasCodes(
                "code 3 of naklab watch $! --duration 10 --record hunt",
                "code 0 of naklab report hunt",
                "code 0 of naklab bundle hunt",
                "code 0 of kill %1");
        assertThat(followed.out())
                .containsPattern("stalls?[:;] .*python3 waited .* ms for a lock")
                .containsPattern("(?m)^ +cause +lock-wait")
                .containsPattern("(?m)^ +remedy ")
                .contains("datagrams dropped", "a buffer of");
        Path window = followed.directory().resolve("hunt");
        WatchDiagnosis.of(window).hasAccounts();
        assertThat(Files.readString(window.resolve("report.html"))).contains("Socket depth");
        try (Stream<Path> files = Files.list(followed.directory())) {
            assertThat(files.map(Path::toString)).anyMatch(file -> file.endsWith(".zip"));
        }
    }

    /** Runs the shell's blocks of a chapter in a directory of their own; they print the exit code of each line, too. */
    private Followed follow(String chapter) throws IOException {
        Path own = Files.createTempDirectory(directory, "attempt");
        String page = Files.readString(ROOT.resolve("docs/tutorial").resolve(chapter));
        for (MatchResult program : PROGRAM.matcher(page).results().toList()) {
            Files.writeString(own.resolve("receiver.py"), program.group(1));
        }
        Path bin = Files.createDirectory(own.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("naklab"), ROOT.resolve("naklab"));
        Path configuration = Files.writeString(own.resolve("naklab.properties"), "runs=" + own.resolve(RUNS) + "\n");
        String commands = SHELL.matcher(page)
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(TutorialScenario::withItsCode)
                .collect(Collectors.joining("\n"));
        List<String> shell = List.of(
                "env",
                "--chdir=" + own,
                "PATH=" + bin + ":" + System.getenv("PATH"),
                "NAKLAB_CONFIG=" + configuration,
                "bash",
                "-m",
                "-c",
                commands);
        try (NaklabProcess followed = NaklabProcess.of(shell, own)) {
            NaklabOutcome outcome = followed.outcome();
            return new Followed(outcome.out() + outcome.err(), own);
        }
    }

    /** Reports that are there before are taken away from a command that makes one. */
    private static String withItsCode(String line) {
        if (line.endsWith("&")) {
            return line;
        }
        String told = line + "\nprintf 'code %s of %s\\n' $? " + ShellWord.of(line);
        return line.startsWith("naklab report ")
                ? REPORTS + " -delete\n" + told + "\nprintf 'reports made: %s\\n' \"$(" + REPORTS + " | wc -l)\""
                : told;
    }
}
