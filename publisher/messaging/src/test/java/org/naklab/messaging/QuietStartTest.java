package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuietStartTest {
    @Test
    void shouldPrintNothingWithTheProjectsFlags() throws IOException, InterruptedException {
        Path flags = Path.of(System.getProperty("naklab.root"), "lab/src/main/dist/jvm.options");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "@" + flags,
                        "-cp",
                        System.getProperty("java.class.path"),
                        QuietStart.class.getName(),
                        "20070")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).isEmpty();
    }
}
