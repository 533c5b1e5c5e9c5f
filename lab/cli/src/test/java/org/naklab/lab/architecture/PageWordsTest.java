package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each page begins with the question that it answers; those for users are free of words that only the authors know. Notes and CONTRIBUTING.md are for authors. */
final class PageWordsTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Path NOTES = ROOT.resolve("docs/notes");
    private static final int FIRST_LINES = 4;
    private static final Map<String, String> WITHOUT_QUESTION = Map.of(
            "docs/workshop/slides.md", "its text is spoken",
            "docs/workshop/certificate.md", "it is a form to print");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`|^ {4}.*?$|\\]\\([^)]*\\)");
    private static final Pattern PRIVATE = Pattern.compile(
            "(?i)\\b(claims?|seams?|mutations?|golden runs?|reviews?|reviewers?|findings?|proposals?|proposed)\\b");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(
                Stream.of("README.md", "SECURITY.md", "journaler/FORMAT.md", "publisher/messaging/PROTOCOL.md")
                        .map(ROOT::resolve)
                        .toList());
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @Test
    void shouldBeginEachPageWithTheQuestionThatItAnswers() throws IOException {
        List<Path> pages = pages();
        assertThat(pages).hasSizeGreaterThan(40);
        assertThat(pages.stream().filter(page -> !asks(page)).map(page -> ROOT.relativize(page)
                        .toString()))
                .as("pages whose first %d lines ask nothing", FIRST_LINES)
                .containsExactlyInAnyOrderElementsOf(WITHOUT_QUESTION.keySet());
    }

    private static boolean asks(Path page) {
        try (Stream<String> lines = Files.lines(page)) {
            return lines.limit(FIRST_LINES).anyMatch(line -> line.contains("?"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldUseNoWordThatOnlyTheAuthorsKnow() throws IOException {
        List<Path> pages =
                pages().stream().filter(page -> !page.startsWith(NOTES)).toList();
        assertThat(pages).hasSizeGreaterThan(30);
        assertThat(pages).allSatisfy(page -> assertThat(privateWords(Files.readString(page)))
                .as(ROOT.relativize(page).toString())
                .isEmpty());
    }

    @Test
    void shouldSeePrivateWordsInTextOnly() {
        assertThat(privateWords("Each Claim holds.\n\n    naklab claim\n\nThe `seam` of [it](claims.md).\n"))
                .containsExactly("Claim");
    }

    /** README, below its head "question | command | takes about". */
    @Test
    void shouldSayHowLongEachCommandOfReadmeTakes() throws IOException {
        List<String> table = Files.readAllLines(ROOT.resolve("README.md")).stream()
                .dropWhile(line -> !line.equals("question | command | takes about"))
                .skip(2)
                .takeWhile(line -> !line.isEmpty())
                .toList();
        assertThat(table).hasSizeGreaterThan(20);
        assertThat(table).allSatisfy(row -> assertThat(row.split(" \\| ", -1))
                .as(row)
                .hasSize(3)
                .satisfies(cells -> assertThat(cells[2]).matches(".*(\\d+ (s|min)|COMMAND's time).*")));
    }

    @Test
    void shouldExplainWhatTheOutputSays() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/glossary.md")))
                .contains(
                        "**lbtrm**", "**profile**", "**mds-context**", "**control**", "**late event**", "**headroom**");
    }

    private static List<String> privateWords(String page) {
        return PRIVATE.matcher(CODE.matcher(page).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .toList();
    }
}
