package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.cli.Naklab;
import org.naklab.lab.process.Installation;

/** The program starts without a word on standard error on the oldest and the newest JDK that it is for. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class JdksTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void shouldStartSilently(int feature) throws IOException, InterruptedException {
        Path java = Jdks.find(feature).orElse(null);
        assumeThat(java).as("a JDK %d to start it on", feature).isNotNull();
        if (java == null) {
            return;
        }
        Installation here = Installation.current();
        Installation there = here.with(java);
        Process process = new ProcessBuilder(there.command(List.of(), Naklab.class, List.of("list")))
                .redirectError(directory.resolve("err").toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(out).contains("baseline");
        assertThat(directory.resolve("err")).isEmptyFile();
    }
}
