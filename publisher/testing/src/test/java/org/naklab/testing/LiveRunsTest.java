package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each scenario belongs to one build, and the default build makes few runs on the real machine. */
@Timeout(60)
final class LiveRunsTest {
    private static final int MOST_RUNS = 25;
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));

    @TempDir
    private Path directory;

    @Test
    void shouldHaveOneTagForEachScenario() throws IOException {
        assertThat(TestTags.below(ROOT).problems()).isEmpty();
    }

    @Test
    void shouldMakeFewRunsInTheDefaultBuild() throws IOException {
        TestTags tags = TestTags.below(ROOT);
        assertThat(tags.liveRuns()).as("classes with live runs").isNotEmpty();
        assertThat(tags.sumOfLiveRuns()).as(tags.liveRuns().toString()).isLessThanOrEqualTo(MOST_RUNS);
    }

    @Test
    void shouldFindWhatIsTaggedWrong() throws IOException {
        write("NoScenario", "class");
        write("TwiceScenario", "@Live(runs = 2)\n@Matrix\nclass");
        write("BothTest", "@Matrix\n@Contained\nclass");
        write("NoRunsScenario", "@Live\nclass");
        write("OldScenario", "@Matrix\n@Tag(\"concurrent\")\nclass");
        assertThat(TestTags.below(directory).problems())
                .hasSize(5)
                .anyMatch(problem -> problem.contains("NoScenario.java: expected one"))
                .anyMatch(problem -> problem.contains("TwiceScenario.java: expected one"))
                .anyMatch(problem -> problem.contains("BothTest.java: expected at most one"))
                .anyMatch(problem -> problem.contains("NoRunsScenario.java: expected @Live(runs"))
                .anyMatch(problem -> problem.contains("OldScenario.java: tags other than"));
    }

    @Test
    void shouldAddTheRunsUp() throws IOException {
        write("OneScenario", "@Live(runs = 2)\nclass");
        write("OtherScenario", "@Live(runs = 3)\n@Timeout(4)\nclass");
        write("FastTest", "class");
        write("LongScenario", "@Matrix\nclass");
        TestTags tags = TestTags.below(directory);
        assertThat(tags.problems()).isEmpty();
        assertThat(tags.sumOfLiveRuns()).isEqualTo(5);
    }

    private void write(String name, String head) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("module/src/test/java"));
        Files.writeString(sources.resolve(name + ".java"), "package p;\n\n" + head + ' ' + name + " {}\n");
    }
}
