package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.LabException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ComposeProjectTest {
    @ParameterizedTest
    @CsvSource({
        "/home/me/naklab, naklab",
        "/home/me/NAK Lab, naklab",
        "/srv/nak-lab_2, nak-lab_2",
        "/srv/_lab.git, labgit"
    })
    @DisabledIfEnvironmentVariable(
            named = "COMPOSE_PROJECT_NAME",
            matches = ".+",
            disabledReason = "compose is told a name")
    void shouldNameAProjectAsComposeDoes(String directory, String project) {
        assertThat(ComposeProject.usualProject(Path.of(directory))).isEqualTo(project);
    }

    /** Compose gives two directories of one name one project. */
    @Test
    void shouldRefuseTheCompositionOfAnotherDirectoryOfTheSameName(@TempDir Path parent) throws IOException {
        Path mine = Files.createDirectories(parent.resolve("a/naklab"));
        Path other = Files.createDirectories(parent.resolve("b/naklab"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), mine);
        ComposeProject project = new ComposeProject("naklab", Map.of("mds", "0123"));

        assertThatCode(() -> project.require(mine, mine)).doesNotThrowAnyException();
        assertThatCode(() -> project.require(mine, link)).doesNotThrowAnyException();
        assertThatThrownBy(() -> project.require(mine, other))
                .isInstanceOf(LabException.class)
                .hasMessageContainingAll(other.toString(), mine.toString(), "--project-name NAME");
        assertThatThrownBy(() -> project.require(mine, Path.of("/nosuch/naklab")))
                .hasMessageContaining("/nosuch/naklab");
    }
}
