package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ShellWordTest {
    @ParameterizedTest
    @ValueSource(strings = {"plain/path.csv", "a b.csv", "it's", "$(touch x)", "", "*", "a\"b`c`\\d", "-x;y"})
    void shouldBeOneWordOfAShell(String word) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "printf '<%s>' " + ShellWord.of(word))
                .redirectErrorStream(true)
                .start();
        String read = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        assertThat(read).isEqualTo("<" + word + ">");
    }
}
