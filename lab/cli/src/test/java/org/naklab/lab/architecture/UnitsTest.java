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

/** The factors between units of time are those of {@code Units}; the modules below {@code lab} do not have that class. */
@Timeout(60)
final class UnitsTest {
    private static final Path LAB = Path.of(System.getProperty("naklab.root"), "lab");
    private static final Pattern FACTOR = Pattern.compile(
            "static final (?:double|long|int) "
                    + "((?:NS|US|MS|NANOS|MICROS|MILLIS)_PER_(?:US|MS|S|SECOND|MICRO\\w*|MILLI\\w*)|(?:US|MS|SECOND|MICROSECOND|MILLISECOND)_NS)\\b");

    private static Stream<String> factors(Path source) {
        try {
            return FACTOR.matcher(Files.readString(source))
                    .results()
                    .map((MatchResult found) -> source.getFileName() + " " + found.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldHaveFactorsInOneClass() throws IOException {
        List<String> found;
        try (Stream<Path> sources = Files.walk(LAB)) {
            found = sources.filter(source -> source.toString().endsWith(".java")
                            && source.toString().contains("src/main/java"))
                    .flatMap(UnitsTest::factors)
                    .toList();
        }
        assertThat(found).contains("Units.java NS_PER_MS").allMatch(factor -> factor.startsWith("Units.java "));
    }
}
