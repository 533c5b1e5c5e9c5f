package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call with many positions is easy to get wrong, so components that belong together are records of their own. */
@Timeout(60)
final class WideRecordsTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final int WIDE = 8;
    /** How many there are; split one rather than raise it. docs/notes/decisions.md says which stay, and why. */
    private static final int MOST = 47;
    /** Those of them with more components still. */
    private static final int MOST_WIDER = 24;

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern HEAD = Pattern.compile("\\brecord (\\w+)(?:<[^(]*>)?\\s*\\(");

    @Test
    void shouldNotHaveMoreWideRecords() throws IOException {
        List<String> wide = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(ROOT)) {
            for (Path source : sources.filter(WideRecordsTest::isMain).toList()) {
                wide.addAll(wideIn(Files.readString(source)));
            }
        }
        assertThat(wide).hasSizeBetween(1, MOST);
        assertThat(wide).filteredOn(each -> !each.endsWith(" " + WIDE)).hasSizeBetween(1, MOST_WIDER);
    }

    @Test
    void shouldCountTheComponentsOfARecord() {
        assertThat(
                        wideIn(
                                "public record Eight<T>(@A(x = {1, 2}) int a, Map<K, V> b, int c, int d, int e, int f, int g, T h) {}"))
                .containsExactly("Eight 8");
        assertThat(wideIn("record Seven(int a, Map<K, V> b, int c, /* , */ int d, int e, int f, int g) {}"))
                .isEmpty();
        assertThat(wideIn("record None() {}")).isEmpty();
    }

    private static boolean isMain(Path source) {
        String path = source.toString();
        return path.endsWith(".java") && path.contains("/src/main/java/") && !path.contains("/target/");
    }

    private static List<String> wideIn(String source) {
        String code = COMMENT.matcher(source).replaceAll(" ");
        List<String> wide = new ArrayList<>();
        Matcher head = HEAD.matcher(code);
        while (head.find()) {
            int components = components(code, head.end());
            if (components >= WIDE) {
                wide.add(head.group(1) + " " + components);
            }
        }
        return wide;
    }

    /** Counts the commas that stand in no brackets of their own. */
    private static int components(String code, int begin) {
        int components = 1;
        int depth = 1;
        for (int i = begin; depth > 0 && i < code.length(); i++) {
            switch (code.charAt(i)) {
                case '(', '<', '{' -> depth++;
                case ')', '>', '}' -> depth--;
                case ',' -> components += depth == 1 ? 1 : 0;
                default -> {}
            }
        }
        return components;
    }
}
