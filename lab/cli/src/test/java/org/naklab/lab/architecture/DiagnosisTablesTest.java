package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.diagnosis.Cause;

/** Compares the table of causes in the documentation with the enum. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DiagnosisTablesTest {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/reference/diagnosis.md");
    private static final String HEADING = "## Causes";
    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\|.*");

    @Test
    void shouldListEveryCauseAndNoOther() throws IOException {
        Set<String> labels =
                Arrays.stream(Cause.values()).map(Cause::label).collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(listedIn(PAGE))).isEqualTo(labels);
    }

    /** Returns the first cells of the tables between the heading and the next one. */
    private static List<String> listedIn(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .dropWhile(line -> !line.equals(HEADING))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .toList();
    }
}
