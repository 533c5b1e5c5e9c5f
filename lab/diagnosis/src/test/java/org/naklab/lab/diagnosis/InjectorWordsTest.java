package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The audit library's word for its own delay is in the timeline, for people: no rule of the diagnosis asks for it. */
@Timeout(60)
final class InjectorWordsTest {
    @Test
    void shouldNotReadWhatTheInjectorSaysOfItself() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(sources).hasSizeGreaterThan(20).allSatisfy(source -> assertThat(Files.readString(source))
                .doesNotContain("\"delayed\"", "heldUp", "held_up", "org.naklab.faults", "org.naklab.lab.replica"));
    }
}
