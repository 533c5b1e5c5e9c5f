package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.files.FileTrees;
import org.naklab.journaler.JournalVerifier;
import org.naklab.testing.Matrix;

/** A user who plants links where a run is about to put its shared memory gets nothing deleted, and the run works. */
@Matrix
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LinkAttackScenario {
    private static final String NOBODY = "65534";

    private Path directory;
    private Path victim;

    /** Not JUnit's: another user must be able to look into it. */
    @BeforeEach
    void makeVictim() throws IOException {
        directory = open(Files.createTempDirectory("naklab-attacked-"));
        open(Files.createDirectory(directory.resolve("runs")));
        open(Files.createDirectory(directory.resolve("runs/baseline")));
        victim = Files.createDirectory(directory.resolve("victim"));
        Files.writeString(victim.resolve("file"), "kept");
        Files.writeString(Files.createDirectory(victim.resolve("directory")).resolve("file"), "kept");
        open(victim);
        Path attacker = directory.resolve("classes/org/naklab/lab/cli/LinkAttacker.class");
        Files.createDirectories(directory.resolve("classes/org/naklab/lab/cli"));
        try (InputStream compiled =
                Objects.requireNonNull(LinkAttacker.class.getResourceAsStream("LinkAttacker.class"))) {
            Files.copy(compiled, attacker);
        }
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        FileTrees.delete(directory);
    }

    @Test
    void shouldSurviveAttackByAnotherUser() throws IOException {
        assumeThat(Files.getAttribute(directory, "unix:uid"))
                .as("user, who can become another")
                .isEqualTo(0);
        assumeThat(Path.of("/usr/bin/setpriv")).as("what makes the other user").isExecutable();

        List<String> said =
                runUnderAttack(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), false);

        assertThat(said)
                .as("the run's private directory was attacked")
                .anyMatch(line -> line.matches("denied /dev/shm/naklab-[^/]+/mds"));
        assertThat(said).as("and what names it").anyMatch(line -> line.matches("unreadable .*/mds.json"));
    }

    /** Of the same user, who may look into everything: by a name that was once predictable. */
    @Test
    void shouldSurviveLinksUnderPredictedName() throws IOException {
        runUnderAttack(List.of(), true);
    }

    private List<String> runUnderAttack(List<String> prefix, boolean predictsOnly) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                directory.resolve("classes").toString(),
                LinkAttacker.class.getName(),
                directory.toString(),
                String.valueOf(predictsOnly)));
        Process attacker = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader reader = attacker.inputReader(StandardCharsets.UTF_8)) {
            assertThat(reader.readLine()).as("the attacker can start the JVM").isEqualTo("ready");
            try {
                run();
            } finally {
                attacker.outputWriter(StandardCharsets.UTF_8).append('\n').close();
                reader.lines().forEach(said::add);
                clear(said);
            }
        } finally {
            attacker.destroyForcibly();
        }
        assertThat(said).as("a directory was made under the predicted name").anyMatch(line -> isPlanted(line));
        assertThat(victim.resolve("file")).hasContent("kept");
        assertThat(victim.resolve("directory/file")).hasContent("kept");
        return said;
    }

    private void run() throws IOException {
        NaklabOutcome unused = NaklabOutcome.passed("LinkAttackScenario", this::runOnce);
    }

    private NaklabOutcome runOnce() throws IOException {
        try (NaklabProcess naklab = NaklabProcess.run(directory, "--rate", "500", "--duration", "1")) {
            Files.writeString(
                    directory.resolve("pid"), String.valueOf(naklab.handle().pid()));
            NaklabOutcome outcome = naklab.outcome();
            assertThat(naklab.sharedMemory()).doesNotExist();
            Path journal = naklab.evidence().resolve("journal");
            assertThat(JournalVerifier.verify(journal).passed())
                    .as(naklab.out())
                    .isTrue();
            return outcome;
        }
    }

    private static boolean isPlanted(String line) {
        return line.startsWith("planted ");
    }

    private static void clear(List<String> said) throws IOException {
        for (String line : said) {
            if (isPlanted(line)) {
                FileTrees.delete(Path.of(line.substring(line.indexOf(' ') + 1)));
            }
        }
    }

    private static Path open(Path path) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
