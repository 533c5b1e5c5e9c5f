package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.runs.page.Page;

/** The terms of {@code docs/glossary.md}, for a page that has no other file. */
final class Glossary {
    private static final Pattern TERM = Pattern.compile(
            "^- \\*\\*(.+?)\\*\\*: (.+?)(?=\\n(?:\\n|- \\*\\*|#)|\\z)", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern LINK =
            Pattern.compile("\\s*\\(\\[[^\\]]*\\]\\([^)]*\\)\\)|\\[([^\\]]*)\\]\\([^)]*\\)");

    private Glossary() {}

    /** Returns each term with its meaning, in the order of the file. */
    static List<Map<String, String>> terms() {
        List<Map<String, String>> terms = new ArrayList<>();
        Matcher matcher = TERM.matcher(Page.resource(Glossary.class, "glossary.md"));
        while (matcher.find()) {
            terms.add(Map.of("term", plain(matcher.group(1)), "meaning", plain(matcher.group(2))));
        }
        return terms;
    }

    /** Removes what only Markdown shows: code marks, line ends, and links to pages that are not beside a report. */
    private static String plain(String markdown) {
        return LINK.matcher(markdown)
                .replaceAll(link -> link.group(1) == null ? "" : Matcher.quoteReplacement(link.group(1)))
                .replace("`", "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
