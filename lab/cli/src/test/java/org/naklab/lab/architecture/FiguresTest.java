package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bounds the size of the house. The bounds are what it has, rounded up: they may go down, and who raises one says in the commit what it buys.
 */
@Timeout(60)
final class FiguresTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    /** Main Java that ships: all modules but the studies and the support of tests. */
    private static final int MAX_SHIPPED = 166_000;

    private static final Map<String, Integer> MAX_OF_MODULE =
            Map.of("lab/instruments", 31_500, "lab/scenarios", 16_500, "lab/cli", 13_500, "lab/tools", 17_000);
    /** Lines of tests for each line of main Java, in hundredths. */
    private static final int LEAST_TESTED = 30;

    /** Lines of a file in the tree that a person wrote. */
    private static final int MAX_LINES = 2_000;

    private static final List<String> NOT_SHIPPED = List.of("lab/studies", "publisher/testing");

    /** A module, with the lines of its main Java, its C, and its tests. */
    private record Size(String module, int java, int c, int tests) {}

    private static List<Size> sizes() throws IOException {
        List<Size> sizes = new ArrayList<>();
        for (Path parent : List.of(ROOT, ROOT.resolve("publisher"), ROOT.resolve("lab"))) {
            try (Stream<Path> children = Files.list(parent)) {
                for (Path module : children.filter(child -> Files.isDirectory(child.resolve("src/main/java")))
                        .toList()) {
                    sizes.add(new Size(
                            ROOT.relativize(module).toString(),
                            lines(module.resolve("src/main/java"), name -> name.endsWith(".java")),
                            lines(module.resolve("src/main/c"), name -> name.endsWith(".c") || name.endsWith(".h")),
                            lines(module.resolve("src/test/java"), name -> name.endsWith(".java"))));
                }
            }
        }
        return sizes;
    }

    private static int lines(Path directory, Predicate<String> names) throws IOException {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> names.test(file.toString()))
                    .mapToInt(FiguresTest::lines)
                    .sum();
        }
    }

    private static int lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return Math.toIntExact(lines.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNotGrow() throws IOException {
        assertThat(sizes().stream()
                        .filter(size -> !NOT_SHIPPED.contains(size.module()))
                        .mapToInt(Size::java)
                        .sum())
                .as("lines of main Java that ship")
                .isBetween(MAX_SHIPPED / 2, MAX_SHIPPED);
        assertThat(sizes())
                .filteredOn(size -> size.java() + size.c() > MAX_OF_MODULE.getOrDefault(size.module(), 12_500))
                .isEmpty();
    }

    @Test
    void shouldTestWhatShips() throws IOException {
        Map<String, Integer> tooLittle = new TreeMap<>();
        for (Size size : sizes()) {
            int hundredths = 100 * size.tests() / size.java();
            if (!NOT_SHIPPED.contains(size.module()) && hundredths < LEAST_TESTED) {
                tooLittle.put(size.module(), hundredths);
            }
        }
        assertThat(tooLittle).isEmpty();
    }

    /** Generated text belongs into a build. */
    @Test
    void shouldKeepNoLongSources() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (String part : List.of("publisher", "subscriber", "journaler", "faults", "lab")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
                files.filter(FiguresTest::isSource)
                        .filter(file -> lines(file) > MAX_LINES)
                        .map(file -> ROOT.relativize(file).toString())
                        .forEach(tooLong::add);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    private static boolean isSource(Path file) {
        String name = file.toString();
        return name.contains("/src/main/")
                && !name.contains("/src/main/cases/")
                && Stream.of(".java", ".c", ".h", ".js", ".html", ".css", ".list", ".options", ".xml", ".sql")
                        .anyMatch(name::endsWith)
                && !name.endsWith(".min.js");
    }
}
