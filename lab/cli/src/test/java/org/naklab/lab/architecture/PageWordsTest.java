package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the pages for users free of words that only the authors know. Notes and CONTRIBUTING.md are for authors. */
final class PageWordsTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`|^ {4}.*?$|\\]\\([^)]*\\)");
    private static final Pattern PRIVATE = Pattern.compile(
            "(?i)\\b(claims?|seams?|mutations?|golden runs?|reviews?|reviewers?|findings?|proposals?|proposed)\\b");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("SECURITY.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(ROOT.resolve("docs/notes")))
                    .forEach(pages::add);
        }
        return pages;
    }

    @Test
    void shouldUseNoWordThatOnlyTheAuthorsKnow() throws IOException {
        List<Path> pages = pages();
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
