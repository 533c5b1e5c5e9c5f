package org.naklab.lab.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The snippets of a page of the documentation. */
final class PageSnippets {
    static final Path ROOT = Path.of(System.getProperty("naklab.root"));

    private PageSnippets() {}

    /**
     * Returns the snippets in one language, as they stand.
     *
     * @param page below {@code docs}
     * @param language after the three backquotes
     */
    static List<String> of(String page, String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(ROOT.resolve("docs").resolve(page)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
