package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The chapters of the tutorial; {@code TutorialScenario} runs their commands, and {@code .ci/build-examples} the project of the third. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TutorialTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Pattern QUESTION = Pattern.compile("^# \\d\\. [^\\n]+\\n\\nThis chapter answers: [^.]*\\? ");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    /** In a quarter of an hour, ten minutes are for reading. */
    private static final int WORDS_IN_TEN_MINUTES = 2_000;

    @Test
    void shouldBeginEachChapterWithTheQuestionThatItAnswers() throws IOException {
        assertThat(chapters()).hasSize(3).allSatisfy(chapter -> assertThat(Files.readString(chapter))
                .as(chapter.toString())
                .containsPattern(QUESTION));
    }

    @Test
    void shouldTakeLessThanAQuarterOfAnHour() throws IOException {
        assertThat(chapters()).allSatisfy(chapter -> assertThat(BLANKS.split(Files.readString(chapter)))
                .as(chapter.toString())
                .hasSizeLessThan(WORDS_IN_TEN_MINUTES));
    }

    /** The matrix ({@code .ci/matrix}) shows whether they work; it takes minutes and needs root. */
    @Test
    void shouldHaveItsCommandsAndThoseOfReadmeTriedOnABareSystem() throws IOException, InterruptedException {
        Process listing = new ProcessBuilder(ROOT.resolve(".ci/try-readme").toString(), "--list")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String listed = new String(listing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(listing.waitFor()).isZero();
        assertThat(listed.lines())
                .containsSubsequence(
                        "3\tnaklab watch PID",
                        "0\tnaklab run mystery",
                        "0\tnaklab run mystery",
                        "0\tnaklab report mystery",
                        "-\tpython3 receiver.py &",
                        "3\tnaklab watch $! --duration 10 --record hunt",
                        "0\tnaklab bundle hunt");
        assertThat(Files.readString(ROOT.resolve(".ci/matrix"))).contains(".ci/try-readme ");
    }

    private static List<Path> chapters() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/tutorial"))) {
            return files.toList();
        }
    }
}
