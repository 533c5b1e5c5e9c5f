package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds names that were given up out of the sources, and lets comments of types and methods begin with a verb. */
@Timeout(60)
final class NamesTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Pattern GIVEN_UP = Pattern.compile(
            "\\b(?:observatory|tournament|standings|contestants?|surroundings|lastWord|isCalm|detect-\\w+)\\b");

    /** A comment of one of the words, annotations, and the beginning of what it is about. */
    private static final Pattern COMMENT = Pattern.compile(
            "/\\*\\*\\s*(?:\\*\\s*)?(What|Whether|How|Where|When|Which|Who|Why)\\b(?:(?!\\*/).)*\\*/"
                    + "\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*"
                    + "(?:(?:public|protected|static|final|abstract|sealed|default|synchronized) )*"
                    + "(?!private\\b|void\\b|public\\b|static\\b|final\\b|new\\b)"
                    + "((?:class|record|enum|interface) \\w+|[A-Za-z][\\w.<>, ?\\[\\]@]* \\w+\\()",
            Pattern.DOTALL);

    private static List<String> found(Pattern pattern, String part) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains(part))
                    .filter(file -> !file.toString().contains("/target/") && !file.endsWith("NamesTest.java"))
                    .flatMap(file -> matches(pattern, file))
                    .toList();
        }
    }

    private static Stream<String> matches(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult found) -> file.getFileName() + ": "
                            + found.group().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldUseNoNameThatWasGivenUp() throws IOException {
        assertThat(found(GIVEN_UP, "/src/")).isEmpty();
    }

    @Test
    void shouldBeginCommentsWithAVerb() throws IOException {
        assertThat(found(COMMENT, "/src/main/java/")).isEmpty();
    }

    @Test
    void shouldSeeACommentThatBeginsWithoutAVerb() {
        assertThat(COMMENT.matcher("/** Whether it runs. */\n    @Override\n    public boolean isRunning() {")
                        .find())
                .isTrue();
        assertThat(COMMENT.matcher("/** What was read. */\n    record Text(String text) {}")
                        .find())
                .isTrue();
        assertThat(COMMENT.matcher("/** Returns what was read. */\n    String text() {")
                        .find())
                .isFalse();
    }
}
