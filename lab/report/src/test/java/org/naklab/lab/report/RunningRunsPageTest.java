package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** A run that another terminal has started, on the page of the server while it begins, goes on and ends. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class RunningRunsPageTest {
    private static final String RUN = "2026-11-21T03-26-10.052Z-42";
    /** Locks as the lab of another process does. */
    private static final String LOCK = """
            import fcntl, sys
            file = open(sys.argv[1], 'r+')
            fcntl.lockf(file, fcntl.LOCK_EX)
            print('locked', flush=True)
            sys.stdin.read()
            """;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    private static void await(Browser browser, String what, String condition) {
        Awaitility.await(what).atMost(60, TimeUnit.SECONDS).until(() -> browser.evaluate("Boolean(" + condition + ")")
                .asBoolean());
    }

    private static String document(Path run, String more) {
        return "{\"scenario\": \"mystery\", \"fidelity\": \"audited\", \"remedy\": \"none\", \"profile\": \"lbtrm\", \"seed\": 42, \"runDirectory\": \""
                + run + "\", \"startedUtc\": \"2026-11-21T03:26:10.052Z\"" + more + "}";
    }

    @Test
    void shouldListARunOfAnotherTerminalWhileItGoesOnAndItsRecordAfterwardsWithoutAReload()
            throws IOException, InterruptedException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        Path ended = Files.createDirectories(runs.resolve("baseline/2026-11-20T03-26-10.052Z-42"));
        Files.writeString(
                ended.resolve("run.json"),
                document(ended, ", \"verdict\": \"pass\"").replace("mystery", "baseline"));
        try (Dashboard dashboard = Dashboard.launch("127.0.0.1", 0, runs, List.of(), errors::add);
                Browser browser = Browser.open(
                        Chromium.find(),
                        Files.createDirectories(directory.resolve("browser")),
                        URI.create("http://127.0.0.1:" + dashboard.port() + "/"),
                        1280,
                        720)) {
            await(browser, "the page", "document.body.dataset.ready");
            browser.evaluate("window.isSamePage = true, document.getElementById('words').value = 'no',"
                    + " document.getElementById('words').dispatchEvent(new Event('input', {bubbles: true}))");
            assertThat(browser.evaluate("document.querySelector('.going') === null")
                            .asBoolean())
                    .isTrue();

            Path run = Files.createDirectories(runs.resolve("mystery").resolve(RUN));
            Path started = Files.writeString(
                    run.resolve("started.json"), document(run, ", \"live\": \"http://127.0.0.1:8082/film.html\""));
            Process lab = new ProcessBuilder("python3", "-c", LOCK, started.toString()).start();
            try {
                assertThat(lab.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("locked");
                await(
                        browser,
                        "the run",
                        "document.querySelector('.going li a[href=\"http://127.0.0.1:8082/film.html\"]')");
                Files.writeString(run.resolve("run.json"), document(run, ", \"verdict\": \"fail\""));
                Files.delete(started);
            } finally {
                lab.destroyForcibly().onExit().join();
            }
            await(
                    browser,
                    "its record",
                    "!document.querySelector('.going') && document.querySelector('section[data-scenario=mystery]')");
            assertThat(browser.evaluate("window.isSamePage && document.getElementById('words').value")
                            .asText())
                    .as("what the reader has chosen stays")
                    .isEqualTo("no");
            assertThat(browser.evaluate("document.querySelectorAll('.one[data-run]:not([hidden])').length")
                            .asInt())
                    .isEqualTo(2);
        }
        assertThat(errors).isEmpty();
    }
}
