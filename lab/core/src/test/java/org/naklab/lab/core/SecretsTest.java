package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/lab?user=me&password=S3CR3T",
                "--history=jdbc:postgresql://db/lab?password=S3CR3T&user=me",
                "jdbc:postgresql://db/lab?password=one S3CR3T more",
                "jdbc:postgresql://db/lab?sslpassword=S3CR3T",
                "jdbc:sqlite:history.db?cipher=x&key=S3CR3T",
                "postgresql://me:S3CR3T@db/lab",
                "JDBC:POSTGRESQL://db/lab?PASSWORD=S3CR3T"
            })
    void shouldMaskArguments(String argument) {
        List<String> arguments = List.of("run", "baseline", "--history", argument);
        List<String> masked = Secrets.of(arguments, Map.of()).mask(arguments);
        assertThat(masked).startsWith("run", "baseline", "--history").hasSize(4);
        assertThat(masked.get(3)).doesNotContain("S3CR3T").contains("***");
    }

    @Test
    void shouldMaskWhatWasGivenWhereverItIsTold() {
        List<String> arguments = List.of("--history", "jdbc:postgresql://db/lab?password=not%20told");
        Secrets secrets = Secrets.of(arguments, Map.of("PGPASSWORD", "nor this", "PATH", "/usr/bin"));
        assertThat(secrets.mask("refused: not told, not%20told and nor this in /usr/bin"))
                .isEqualTo("refused: ***, *** and *** in /usr/bin");
        assertThat(secrets).hasToString("[***, ***, ***]");
    }

    @Test
    void shouldLeaveEverythingElse() {
        List<String> arguments = List.of("run", "baseline", "--source", "what?.csv", "--seed", "7");
        assertThat(Secrets.of(arguments, Map.of()).mask(arguments)).isEqualTo(arguments);
    }
}
