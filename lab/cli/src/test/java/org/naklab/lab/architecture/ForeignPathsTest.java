package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watched process chooses what lies in its root and what it maps: one class alone knows the ways there, and that one opens no pipe, no device and no file without a bound. */
@Timeout(60)
final class ForeignPathsTest {
    private static final Path LAB = Path.of(System.getProperty("naklab.root"), "lab");
    private static final String DOOR = "ForeignFile.java";
    private static final Pattern WAY = Pattern.compile("(?:resolve\\(|\"/proc\"[^;]*)\"(?:root|map_files)[/\"]");

    @Test
    void shouldKnowTheWaysToForeignFilesInOnePlace() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(LAB)) {
            for (Path source : sources.filter(ForeignPathsTest::isMain).toList()) {
                if (WAY.matcher(Files.readString(source)).find()) {
                    found.add(source.getFileName().toString());
                }
            }
        }
        assertThat(found).containsExactly(DOOR);
    }

    private static boolean isMain(Path source) {
        return source.toString().contains("src/main/java") && source.toString().endsWith(".java");
    }
}
