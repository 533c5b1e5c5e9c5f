package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds the pages of guarantees and of claims against the tests that there are. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class GuaranteesTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)(?:\\.(should\\w+))?`");
    private static final String NONE_YET = "none yet";
    private static final int FINDINGS = 15;

    /** A row of one of the page's tables. */
    private record Guarantee(String finding, String promise, String under, String shownBy) {
        static Guarantee of(String line) {
            List<String> cells =
                    Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            assertThat(cells).as(line).hasSize(6);
            return new Guarantee(cells.get(1), cells.get(2), cells.get(3), cells.get(4));
        }

        List<MatchResult> tests() {
            return NAMED.matcher(shownBy).results().toList();
        }
    }

    @Test
    void shouldHaveARowForEveryFinding() throws IOException {
        assertThat(guarantees())
                .extracting(Guarantee::finding)
                .containsAll(IntStream.rangeClosed(1, FINDINGS)
                        .mapToObj(Integer::toString)
                        .toList());
    }

    @Test
    void shouldSayWhatIsPromisedUnderWhatAndWhoShowsIt() throws IOException {
        assertThat(guarantees()).allSatisfy(guarantee -> {
            assertThat(guarantee.promise()).endsWith(".");
            assertThat(guarantee.under()).isNotBlank();
            assertThat(guarantee.shownBy().equals(NONE_YET)
                            || !guarantee.tests().isEmpty())
                    .as(guarantee.toString())
                    .isTrue();
        });
    }

    @Test
    void shouldNameTestsThatExist() throws IOException {
        assertExist(guarantees().stream().map(Guarantee::shownBy).toList());
    }

    /** {@code ClaimsTableTest} compares the other columns of that page with the code. */
    @Test
    void shouldNameTestsOfClaimsThatExist() throws IOException {
        List<String> rows = Files.readAllLines(ROOT.resolve("docs/notes/claims.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row)
                .containsPattern("\\| `\\w+\\.should\\w+` \\|$"));
        assertExist(
                rows.stream().map(row -> row.substring(row.lastIndexOf("| `"))).toList());
    }

    private static void assertExist(List<String> cells) throws IOException {
        Map<String, Path> classes = testClasses();
        for (String cell : cells) {
            for (MatchResult test : NAMED.matcher(cell).results().toList()) {
                Path source = classes.get(test.group(1));
                assertThat(source).as("the class of %s", test.group()).isNotNull();
                if (test.group(2) != null && source != null) {
                    assertThat(source).content().as(test.group()).contains("void " + test.group(2) + "(");
                }
            }
        }
    }

    private static List<Guarantee> guarantees() throws IOException {
        List<Guarantee> guarantees = Files.readAllLines(ROOT.resolve("docs/notes/guarantees.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| number "))
                .map(Guarantee::of)
                .toList();
        assertThat(guarantees).isNotEmpty();
        return guarantees;
    }

    private static Map<String, Path> testClasses() throws IOException {
        Map<String, Path> classes = new HashMap<>();
        try (Stream<Path> tree = Files.find(
                ROOT,
                20,
                (path, attributes) -> path.toString().contains("src/test/java/")
                        && path.toString().endsWith(".java"))) {
            tree.forEach(path -> classes.put(String.valueOf(path.getFileName()).replace(".java", ""), path));
        }
        return classes;
    }
}
