package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.process.Installation;
import org.naklab.lab.workshop.seal.SealScan;
import org.naklab.testing.Matrix;

/** A live unit: while its run goes on, neither the process list nor a name of a file says what is done, and afterwards no byte does. */
@Matrix
@Timeout(600)
final class LiveUnitScenario {
    private static final int UNAVAILABLE = 69;
    /**
     * What the processes of every run have in their command lines, such as the recorder's option for page faults, and the name of an environment variable of the
     * dynamic linker.
     */
    private static final List<String> OF_ANY_RUN =
            List.of(": 'naklab' in ", ": 'org.naklab' in ", ": 'faults' in ", ": 'audit' in ", " --fault-us ");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"9", "16"})
    void shouldTellNothingOfItsCause(String unit) throws InterruptedException, ExecutionException, IOException {
        Path seen = Files.createDirectory(directory.resolve("seen"));
        Path workshop = directory.resolve("workshop");
        Set<String> told = new TreeSet<>();
        CommandLineRun run;
        ExecutorService lab = Executors.newSingleThreadExecutor();
        try {
            Future<CommandLineRun> running = lab.submit(() -> CommandLineRun.of(
                    "workshop", "start", unit, "--live", "--dir", workshop.toString(), "--trainee", "ada"));
            Awaitility.await("the end of the run").forever().until(() -> {
                told.addAll(processes());
                told.addAll(names(workshop));
                return running.isDone();
            });
            run = running.get();
        } finally {
            lab.shutdownNow();
        }
        Files.write(seen.resolve("told.txt"), told, StandardCharsets.ISO_8859_1);
        Files.writeString(seen.resolve("printed.txt"), run.err() + withoutTexts(run.out()));
        SealScan scan = SealScan.of(Installation.current().root().resolve("lab/cases/src/main/cases"));
        assertThat(told).anyMatch(line -> line.contains("mds"));
        assertThat(scan.findings(seen))
                .filteredOn(finding -> OF_ANY_RUN.stream().noneMatch(finding::contains))
                .isEmpty();
        assertThat(run.exitCode()).as(run.err()).isIn(0, UNAVAILABLE);
        if (run.exitCode() == 0) {
            requireStarted(run, workshop, scan);
        } else {
            requireNothingStarted(run, workshop);
        }
    }

    private static void requireStarted(CommandLineRun run, Path workshop, SealScan scan) {
        assertThat(run.out()).contains("sealed ", "QUESTION");
        assertThat(scan.findings(workshop.resolve("ada"))).isEmpty();
        assertThat(CommandLineRun.of(
                                "workshop", "evidence", "statistics", "--dir", workshop.toString(), "--trainee", "ada")
                        .out())
                .contains("naks-sent");
    }

    /** What a busy machine disturbed is no unit: it says so, and leaves nothing of the run. */
    private static void requireNothingStarted(CommandLineRun run, Path workshop) throws IOException {
        assertThat(run.err()).contains("leave out --live for a recorded case");
        try (Stream<Path> files = Files.walk(workshop.resolve("ada"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        assertThat(CommandLineRun.of("workshop", "status", "--dir", workshop.toString(), "--trainee", "ada")
                        .exitCode())
                .isEqualTo(64);
    }

    /** The suspects, which each unit lists, are causes. */
    private static String withoutTexts(String out) {
        return out.substring(0, Math.max(0, out.indexOf("QUESTION")));
    }

    /** What {@code ps} shows of the processes of the lab, with their environment. */
    private static Set<String> processes() {
        Set<String> told = new TreeSet<>();
        ProcessHandle.current().descendants().forEach(process -> {
            for (String file : new String[] {"cmdline", "environ", "comm"}) {
                told.add(read(Path.of("/proc", String.valueOf(process.pid()), file)));
            }
        });
        return told;
    }

    /** A process may end before it is looked at. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ')
                    .replace('\n', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    private static Set<String> names(Path workshop) throws IOException {
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(workshop)) {
            try (Stream<Path> files = Files.walk(workshop)) {
                files.forEach(file -> names.add(workshop.relativize(file).toString()));
            } catch (UncheckedIOException | NoSuchFileException e) {
                // A file that is deleted meanwhile; the next look sees the others.
                return names;
            }
        }
        return names;
    }
}
