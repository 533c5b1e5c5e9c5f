package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process has reached its limit of open files: the journal goes on, in the file that it has, and rolls again when it can. */
@Timeout(120)
final class DescriptorShortageTest {
    private static final int LIMIT = 200;
    private static final DateTimeFormatter NAMES = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss'T'");

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
        assertThat(stepsInSeconds(files(journal)))
                .as("a file each second, none while descriptors were short, and a file each second again")
                .hasSizeGreaterThanOrEqualTo(2 * DescriptorShortageProcess.FILES)
                .startsWith(repeated(1, DescriptorShortageProcess.FILES - 1))
                .endsWith(repeated(1, DescriptorShortageProcess.FILES - 1))
                .anySatisfy(step -> assertThat(step).isGreaterThan(1));
    }

    /** Returns how long each file but the last was written to, in seconds of the feed. How many files the reserve is enough for depends on the JVM's own files. */
    private static List<Long> stepsInSeconds(List<String> files) {
        return IntStream.range(1, files.size())
                .mapToObj(i -> Duration.between(begin(files.get(i - 1)), begin(files.get(i)))
                        .toSeconds())
                .toList();
    }

    private static LocalDateTime begin(String file) {
        return LocalDateTime.parse(file.substring(0, file.indexOf('.')), NAMES);
    }

    private static Long[] repeated(long step, int times) {
        return Collections.nCopies(times, step).toArray(Long[]::new);
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
