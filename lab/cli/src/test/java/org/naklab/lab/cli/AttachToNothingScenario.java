package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ComposeCommand;
import org.naklab.testing.host.ContainerEngine;

/** An engine, and no composition. */
@Contained
@ExtendWith({ContainerEngine.class, ComposeCommand.class})
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class AttachToNothingScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldSayInOneLineWhatToDo() throws IOException {
        String project = "naklab-test-none-" + ProcessHandle.current().pid();
        try (NaklabProcess naklab = NaklabProcess.runScenario("mystery", directory, "--attach", "--project", project)) {
            assertThat(naklab.awaitExit()).isEqualTo(66);
            assertThat(naklab.err()).hasLineCount(1).contains("no composition " + project + " is running");
        }
    }
}
