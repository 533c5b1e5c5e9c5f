package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.testing.browser.Chromium;

/** The report as a browser draws it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class DrawnReportTest {
    private static final int INTERVALS = 20;
    private static final long INTERVAL_NS = 20_000_000;

    @TempDir
    private Path directory;

    @Test
    void shouldDrawEveryChart() throws Exception {
        String chromium = Chromium.find();
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

    /** A run that measured its latencies has two charts more: over time, and by percentile. */
    @Test
    void shouldDrawTheLatencies() throws Exception {
        String chromium = Chromium.find();
        Path run = Files.createDirectory(directory.resolve("run"));
        FixtureRun.copyTo(run);
        JsonNode record = Json.read(run.resolve("run.json"), JsonNode.class);
        long stallNs = record.path("stalls").path(0).path("atNs").asLong();
        Json.write(run.resolve(LatencyFile.NAME), latencies(stallNs));
        Report.write(run, List.of());

        Document drawn = draw(chromium, Report.of(run));
        assertThat(drawn.select("#latency h2").text()).isEqualTo("Latency");
        assertThat(pointsOf(drawn, "latency"))
                .as("longest and median of the service, longest of the gateway; each goes on to the end of the axis")
                .isEqualTo(3 * (INTERVALS + 1));
        assertThat(pointsOf(drawn, "percentiles")).isEqualTo(2 * 4);
    }

    private static int pointsOf(Document drawn, String id) {
        Element chart = drawn.select("[data-chart=" + id + "]").first();
        assertThat(chart).as(id).isNotNull();
        assertThat(chart.attr("data-drawn")).as(id).isEqualTo("true");
        assertThat(chart.select("svg path")).as(id).isNotEmpty();
        return Integer.parseInt(chart.attr("data-points"));
    }

    /** Each interval differs from the one before, so that the report keeps all of them. */
    private static LatencyFile latencies(long stallNs) {
        List<LatencyFile.Interval> intervals = IntStream.range(0, INTERVALS)
                .mapToObj(i -> new LatencyFile.Interval(
                        stallNs + (i - INTERVALS / 2) * INTERVAL_NS, 100, 200 + 10.0 * i, 1_000 + 100.0 * i))
                .toList();
        List<LatencyFile.Point> points = List.of(
                new LatencyFile.Point(0, 100),
                new LatencyFile.Point(90, 600),
                new LatencyFile.Point(99.9, 150_000),
                new LatencyFile.Point(100, 151_000));
        return new LatencyFile(Stream.of("mds", "gateway-1")
                .map(name -> new LatencyFile.Subscriber(name, points, List.of(), INTERVAL_NS, intervals))
                .toList());
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
}
