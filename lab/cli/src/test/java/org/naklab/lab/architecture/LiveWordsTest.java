package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The live page and the film are for people who have no glossary: each of its words that they use is plain English, or is explained there. */
@Timeout(20)
final class LiveWordsTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Path REPORT = ROOT.resolve("lab/report/src/main");
    private static final Path PAGE = REPORT.resolve("resources/org/naklab/lab/report/live");
    private static final Path STRIPS = REPORT.resolve("java/org/naklab/lab/report/live/StripKind.java");

    /** Words that mean there what they mean to everybody. */
    private static final Set<String> PLAIN =
            Set.of("scenario", "run", "remedy", "verdict", "fault", "exchange", "cause", "suspect", "late event");

    /** Words that the page itself explains. */
    private static final Map<String, String> EXPLAINED = new TreeMap<>(Map.of(
            "market data service", "a program that receives the prices of an exchange and passes them on to customers",
            "gateway", "gateways (other programs that receive the same data)",
            "instrument", "instrument (a share, for example)",
            "stall", "A stall is a time in which the thread that receives does not ask for datagrams.",
            "NAK", "a receiver asks for what it missed (NAK)",
            "headroom", "how long the receive buffer would take to fill up if nobody read from it",
            "socket depth", "what waits in the receive buffer of each socket",
            "blocked send", "sends that the rate limiter refused",
            "ring", "the ring, the queue from the receipt thread to the order books"));

    private static final Pattern TERM = Pattern.compile("(?m)^- \\*\\*([^*]+)\\*\\*");
    private static final Pattern SCRIPT = Pattern.compile("(?s)<(script|style)>.*?</\\1>");
    private static final Pattern MARKUP = Pattern.compile("<[^>]*>|\\{\\{[^}]*}}");
    private static final Pattern IN_SCRIPT = Pattern.compile("'((?:[^'\\\\\n]|\\\\.)*)'");
    private static final Pattern IN_JAVA = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** Literals of one small word are names of elements and classes. */
    private static final Pattern SAID = Pattern.compile("[A-Z].*|.* .*");

    @Test
    void shouldExplainEachWordOfTheGlossaryThatItUses() throws IOException {
        List<String> texts = texts();
        assertThat(terms().filter(term -> !PLAIN.contains(term)).filter(term -> isUsed(texts, term)))
                .as("words of the glossary on the live page")
                .containsExactlyInAnyOrderElementsOf(EXPLAINED.keySet());
        String all = String.join("\n", texts);
        assertThat(EXPLAINED.values()).allSatisfy(text -> assertThat(all).contains(text));
    }

    @Test
    void shouldSeeAWordInItsPluralAndNotWithinAnother() {
        assertThat(isUsed(List.of("Two NAKs were sent."), "NAK")).isTrue();
        assertThat(isUsed(List.of("The string is long."), "ring")).isFalse();
    }

    private static boolean isUsed(List<String> texts, String term) {
        Pattern word = Pattern.compile("(?i)\\b" + Pattern.quote(term) + "s?\\b");
        return texts.stream().anyMatch(text -> word.matcher(text).find());
    }

    private static Stream<String> terms() throws IOException {
        return TERM.matcher(Files.readString(ROOT.resolve("docs/glossary.md")))
                .results()
                .flatMap(term -> Arrays.stream(term.group(1).split(", ")));
    }

    /** Returns what the page says: the text of its markup, the sentences of its scripts, and the titles of the charts. */
    private static List<String> texts() throws IOException {
        String markup =
                SCRIPT.matcher(Files.readString(PAGE.resolve("film.html"))).replaceAll("");
        Stream<String> texts = Stream.of(MARKUP.matcher(markup).replaceAll(" "));
        for (String script : List.of("film.js", "books.js", "acts.js")) {
            texts = Stream.concat(texts, literals(IN_SCRIPT, PAGE.resolve(script)));
        }
        return Stream.concat(texts, literals(IN_JAVA, STRIPS)).collect(Collectors.toList());
    }

    private static Stream<String> literals(Pattern literal, Path file) throws IOException {
        return literal.matcher(Files.readString(file))
                .results()
                .map(found -> found.group(1))
                .filter(text -> SAID.matcher(text).matches());
    }
}
