package org.naklab.lab.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OpenCommandTest {
    private static final Path REPORT = Path.of("/runs/report.html");

    @Test
    void shouldStartTheBrowserOfTheEnvironment() {
        assertThat(OpenCommand.command(Map.of("BROWSER", "firefox"), "Linux", REPORT))
                .containsExactly("firefox", "/runs/report.html");
    }

    @Test
    void shouldStartTheUsualProgramOfTheSystem() {
        assertThat(OpenCommand.command(Map.of(), "Linux", REPORT)).containsExactly("xdg-open", "/runs/report.html");
        assertThat(OpenCommand.command(Map.of(), "Mac OS X", REPORT)).containsExactly("open", "/runs/report.html");
    }
}
