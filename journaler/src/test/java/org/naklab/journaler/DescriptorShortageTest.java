package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process has reached its limit of open files: the journal goes on, in the file that it has, and rolls again when it can. */
@Timeout(120)
final class DescriptorShortageTest {
    private static final int LIMIT = 200;

    @TempDir
    private Path temporary;

    @Test
    void shouldGoOnWithoutDescriptorsAndRollWhenThereAreSomeAgain() throws Exception {
        Path journal = temporary.resolve("journal");
        Process process = new ProcessBuilder(
                        "prlimit",
                        "--nofile=" + LIMIT + ":" + LIMIT,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("naklab.root"), "lab", "src", "main", "dist", "jvm.options"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DescriptorShortageProcess.class.getName(),
                        journal.toString())
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve("output").toFile())
                .start();
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(temporary.resolve("output")))
                .isZero();

        Verification verification = JournalVerifier.verify(journal);
        assertThat(verification.passed()).as(verification.verdict()).isTrue();
        assertThat(verification.events())
                .isEqualTo(2 * DescriptorShortageProcess.FILES + DescriptorShortageProcess.EVENTS_WITHOUT_DESCRIPTORS);
        List<String> files = files(journal);
        assertThat(files)
                .as("files before and after the shortage, and those of which the reserve was enough")
                .hasSizeBetween(1 + 2 * DescriptorShortageProcess.FILES, 4 + 2 * DescriptorShortageProcess.FILES);
    }

    private static List<String> files(Path journal) throws IOException {
        try (Stream<Path> files = Files.list(journal)) {
            return files.map(Path::getFileName)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }
}
