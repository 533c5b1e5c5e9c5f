package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;

/** The commands of the first two chapters of the tutorial, as they stand there, in one shell for each. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class TutorialScenario {
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```python\\n(.*?)^```");
    private static final Path ROOT = Installation.current().root();

    @TempDir
    private Path directory;

    @Test
    void shouldExplainTheMystery() throws Exception {
        String out = follow("mystery.md");

        assertThat(out).contains("PASS").contains("sched_yield");
        assertThat(directory.resolve("data/naklab/runs/mystery/latest/report.html"))
                .isNotEmptyFile();
    }

    @Test
    void shouldFindTheLockOfTheProgram() throws Exception {
        String out = follow("your-process.md");

        assertThat(out).contains("datagrams dropped").contains("a buffer of");
        assertThat(directory.resolve("hunt/report.html")).isNotEmptyFile();
        try (var files = Files.list(directory)) {
            assertThat(files.map(Path::toString)).anyMatch(file -> file.endsWith(".zip"));
        }
    }

    /** Runs the shell's blocks of a chapter, and returns what they printed. */
    private String follow(String chapter) throws IOException, InterruptedException {
        String page = Files.readString(ROOT.resolve("docs/tutorial").resolve(chapter));
        List<MatchResult> programs = PROGRAM.matcher(page).results().toList();
        for (MatchResult program : programs) {
            Files.writeString(directory.resolve("receiver.py"), program.group(1));
        }
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("naklab"), ROOT.resolve("naklab"));
        Path configuration =
                Files.writeString(directory.resolve("naklab.properties"), "runs=" + directory + "/data/naklab/runs\n");
        String commands =
                SHELL.matcher(page).results().map(block -> block.group(1)).collect(Collectors.joining());
        Path out = directory.resolve("out.txt");
        ProcessBuilder shell = new ProcessBuilder("bash", "-m", "-c", commands)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        shell.environment().merge("PATH", bin.toString(), (path, first) -> first + ':' + path);
        shell.environment().put("NAKLAB_CONFIG", configuration.toString());
        shell.start().waitFor();
        return Files.readString(out);
    }
}
