package org.naklab.testing.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** A page in headless Chromium, as wide as a telephone and as a desktop. */
public final class PageInBrowser {
    private static final int PHONE_PX = 390;
    private static final int DESKTOP_PX = 1280;

    /** Both frames measure themselves when they are loaded; a page may not have scripts of others in it. */
    private static final String FRAMES = """
            <!doctype html><html><body></body><script>
            for (const width of [%d, %d]) {
              const frame = document.createElement('iframe');
              frame.style.width = width + 'px';
              frame.style.height = '900px';
              frame.style.border = 0;
              frame.onload = () => {
                const page = frame.contentDocument;
                const row = document.createElement('output');
                row.dataset.width = page.documentElement.clientWidth;
                row.dataset.content = page.documentElement.scrollWidth;
                row.dataset.height = page.body.scrollHeight;
                document.body.append(row);
              };
              frame.srcdoc = %s;
              document.body.append(frame);
            }
            </script></html>
            """;

    private PageInBrowser() {}

    /**
     * Opens a page, and requires that it does not scroll sideways and that the browser has nothing to complain of.
     *
     * @param directory for the browser's files
     */
    public static void requireToFit(Path directory, Path page) throws IOException, InterruptedException {
        String text = Files.readString(page);
        Path frames = Files.writeString(
                directory.resolve("frames.html"), FRAMES.formatted(PHONE_PX, DESKTOP_PX, quoted(text)));
        Path drawn = directory.resolve("drawn.html");
        Path log = directory.resolve("chromium.log");
        Process browser = new ProcessBuilder(
                        chromium(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--enable-logging=stderr",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--virtual-time-budget=10000",
                        "--window-size=1400,1000",
                        "--dump-dom",
                        frames.toUri().toString())
                .redirectOutput(drawn.toFile())
                .redirectError(log.toFile())
                .start();
        assertThat(browser.waitFor()).as("the exit code of the browser").isZero();
        assertThat(Files.readAllLines(log)).noneMatch(line -> line.contains("CONSOLE"));
        Document document = Jsoup.parse(drawn);
        assertThat(document.select("output")).as(page + ": frames").hasSize(2).allSatisfy(frame -> {
            assertThat(number(frame, "height")).isPositive();
            assertThat(number(frame, "content"))
                    .as("pixels of the content in " + frame.attr("data-width"))
                    .isLessThanOrEqualTo(number(frame, "width"));
        });
    }

    private static int number(Element frame, String name) {
        return Integer.parseInt(frame.attr("data-" + name));
    }

    private static String quoted(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                        .replace("<", "\\u003c")
                + '"';
    }

    private static String chromium() {
        List<String> found = Stream.of(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, "chromium"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .toList();
        assumeTrue(!found.isEmpty(), "Chromium is not installed (Debian: apt-get install chromium)");
        return found.get(0);
    }
}
