package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The snippets of the page are whole files, which this module compiles and runs. */
@Timeout(60)
class WriteAFaultPageTest {
    private static final String SAMPLES = "lab/junit/src/test/java/org/naklab/faultsample";

    @Test
    void shouldShowFilesThatCompileAsTheyStand() throws IOException {
        List<String> snippets = PageSnippets.of("how-to/write-a-fault.md", "java");

        assertThat(snippets)
                .containsExactly(
                        sample("AdjustableClock.java"),
                        sample("WrongClockFault.java"),
                        sample("WrongClockFaultTest.java"));
    }

    private static String sample(String name) throws IOException {
        return Files.readString(PageSnippets.ROOT.resolve(SAMPLES).resolve(name));
    }
}
