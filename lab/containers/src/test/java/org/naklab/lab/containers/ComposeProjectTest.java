package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
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
}
