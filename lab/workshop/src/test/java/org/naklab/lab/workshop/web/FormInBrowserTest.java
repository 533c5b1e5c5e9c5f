package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.browser.Chromium;

/** What a browser makes of the protections: it has to send the forms of the server's own pages, and to have nothing to complain of. */
@Timeout(120)
final class FormInBrowserTest {
    @TempDir
    private Path directory;

    @Test
    void shouldLetATrainerInWhoFollowsTheLink() throws IOException, InterruptedException {
        Path drawn = directory.resolve("drawn.html");
        Path log = directory.resolve("chromium.log");
        try (ServedClass served = new ServedClass(directory.resolve("workshop"))) {
            Process browser = new ProcessBuilder(
                            Chromium.find(),
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--enable-logging=stderr",
                            "--user-data-dir=" + directory.resolve("profile"),
                            "--virtual-time-budget=8000",
                            "--dump-dom",
                            "http://127.0.0.1:" + served.server().port() + "/trainer#"
                                    + served.server().trainerToken())
                    .redirectOutput(drawn.toFile())
                    .redirectError(log.toFile())
                    .start();
            assertThat(browser.waitFor()).as("the exit code of the browser").isZero();
            assertThat(Files.readString(drawn))
                    .contains("<h1>Class</h1>", served.server().code())
                    .contains("http://127.0.0.1:" + served.server().port() + "/</strong>");
            assertThat(Files.readAllLines(log)).noneMatch(line -> line.contains("CONSOLE"));
        }
    }
}
