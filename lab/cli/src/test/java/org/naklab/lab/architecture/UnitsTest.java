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

    /** A factor that has no name; parts per million are no unit of time. */
    private static final Pattern NAMELESS =
            Pattern.compile("(?m)^(?!.*PPM).*?([*/] ?(?:1e-?[369]\\b|1_000_000(?:_000)?\\b))");

    private static Stream<String> found(Path source, Pattern factor) {
        try {
            return factor.matcher(Files.readString(source))
                    .results()
                    .map((MatchResult found) -> source.getFileName() + " " + found.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> found(Pattern factor) throws IOException {
        try (Stream<Path> sources = Files.walk(LAB)) {
            return sources.filter(source -> source.toString().endsWith(".java")
                            && source.toString().contains("src/main/java"))
                    .flatMap(source -> found(source, factor))
                    .toList();
        }
    }

    @Test
    void shouldHaveFactorsInOneClass() throws IOException {
        assertThat(found(FACTOR)).contains("Units.java NS_PER_MS").allMatch(factor -> factor.startsWith("Units.java "));
    }

    @Test
    void shouldNameEachFactor() throws IOException {
        assertThat(found(NAMELESS)).isEmpty();
    }
}
