package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report as a browser draws it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class DrawnReportTest {
    @TempDir
    private Path directory;

    @Test
    void shouldDrawEveryChart() throws Exception {
        String chromium = findChromium();
        Path run = Files.createDirectory(directory.resolve("run"));
        FixtureRun.copyTo(run);
        Report.write(run, List.of());
        Document drawn = draw(chromium, Report.of(run));
        assertThat(drawn.select("[data-chart]").eachAttr("data-chart"))
                .containsExactly(
                        "depth", "drops", "gaps", "naks", "blocked", "faults", "memory", "rate", "writers", "phase");
        assertThat(drawn.select("#folded [data-drawn], #phases [data-drawn]"))
                .as("charts that are folded away")
                .isEmpty();
        for (Element chart : drawn.select("figure:not(details figure) [data-chart]")) {
            assertThat(chart.attr("data-drawn")).as(chart.id()).isEqualTo("true");
            assertThat(Integer.parseInt(chart.attr("data-points")))
                    .as(chart.id())
                    .isPositive();
            assertThat(chart.select("svg path")).as(chart.id()).isNotEmpty();
        }
    }

    private Document draw(String chromium, Path page) throws IOException, InterruptedException {
        Path dom = directory.resolve("dom.html");
        Process browser = new ProcessBuilder(
                        chromium,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--virtual-time-budget=10000",
                        "--window-size=1280,1000",
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(directory.resolve("chromium.log").toFile())
                .start();
        assertThat(browser.waitFor()).as("chromium's exit code").isZero();
        return Jsoup.parse(dom);
    }

    static String findChromium() {
        List<String> found = Stream.of(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, "chromium"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .toList();
        assumeTrue(!found.isEmpty(), "Chromium is not installed (Debian: apt-get install chromium)");
        return found.get(0);
    }
}
