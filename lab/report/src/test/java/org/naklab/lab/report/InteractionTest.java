package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** The report in the hands of a reader, in a browser. */
@Matrix
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class InteractionTest {
    private static final double US_PER_SECOND = 1e6;

    @TempDir
    private Path directory;

    private Browser browser;
    private JsonNode data;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path run = Files.createDirectory(directory.resolve("run"));
        FixtureRun.copyTo(run);
        Report.write(run, List.of());
        data = Json.parse(Jsoup.parse(Report.of(run)).select("#run-data").html());
        browser = Browser.open(chromium, directory, Report.of(run), 1280, 1400);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void shouldOpenAtTheStallThatMatters() throws InterruptedException {
        double begin = data.path("focus").path(0).asLong() / US_PER_SECOND;
        double end = data.path("focus").path(1).asLong() / US_PER_SECOND;
        assertThat(from()).isBetween(begin - 0.2, begin);
        assertThat(to()).isGreaterThan(end).isLessThanOrEqualTo(end + 0.5);
        assertThat(browser.evaluate("document.querySelectorAll('#waterfall .row').length")
                        .asInt())
                .isEqualTo(data.path("bars").size());
        assertThat(text("#waterfall")).contains("stall +0.000 ms, 151.5 ms").contains("NAK sent +");
    }

    /** At 100 ms into the stall the socket is full: the value of a moment ago still holds. */
    @Test
    void shouldShowTheValueThatHoldsOfEverySeriesInTheChart() throws InterruptedException {
        double time = data.path("main").asLong() / US_PER_SECOND + 0.1;
        pointAt("depth", time);
        double shown = shownTime();
        assertThat(shown).isCloseTo(time, within(0.002));
        JsonNode series = data.path("charts").path(0).path("series");
        List<String> expected = new ArrayList<>();
        series.forEach(each -> expected.add(each.path("name").asText()));
        assertThat(expected).contains("mds", "gateway-1");
        JsonNode lines = browser.evaluate(
                "Array.from(document.querySelectorAll('.readout [data-series]')).map(line => line.dataset.series)");
        assertThat(lines).extracting(JsonNode::asText).containsExactlyInAnyOrderElementsOf(expected);
        for (JsonNode each : series) {
            String line = browser.evaluate("document.querySelector('.readout [data-series=\""
                            + each.path("name").asText() + "\"]').textContent")
                    .asText();
            assertThat(line).isEqualTo(each.path("name").asText() + ": " + kibibytes(valueAt(each, shown)));
        }
        assertThat(browser.evaluate("document.querySelectorAll('.cross').length")
                        .asInt())
                .as("the crosshair is in all charts that are open")
                .isEqualTo(browser.evaluate("document.querySelectorAll('[data-drawn=true]').length")
                        .asInt())
                .isGreaterThan(3);
    }

    @Test
    void shouldMoveTheFrameOfTheOverview() throws InterruptedException {
        double from = from();
        double length = to() - from;
        String before = text("#range");
        JsonNode brush = box("#brush");
        double middle = brush.path("x").asDouble() + brush.path("width").asDouble() / 2;
        browser.drag(middle, middle - 60, brush.path("y").asDouble() + 20);
        assertThat(from()).isLessThan(from);
        assertThat(to() - from()).isCloseTo(length, within(1e-6));
        assertThat(text("#range")).isNotEqualTo(before);
        assertThat(browser.evaluate("document.getElementById('brush').getAttribute('aria-valuetext')")
                        .asText())
                .isEqualTo(text("#range"));
        double moved = from();
        browser.press("ArrowRight");
        assertThat(from()).isGreaterThan(moved);
        browser.evaluate("document.getElementById('zoom-all').click()");
        assertThat(from()).isEqualTo(data.path("from").asLong() / US_PER_SECOND);
        browser.evaluate("document.getElementById('zoom-stall').click()");
        assertThat(to() - from()).isCloseTo(length, within(1e-6));
    }

    @Test
    void shouldDrawFoldedChartsWhenTheyAreOpened() throws InterruptedException {
        assertThat(browser.evaluate("document.querySelectorAll('#folded [data-drawn=true]').length")
                        .asInt())
                .isZero();
        browser.evaluate("document.getElementById('folded').open = true");
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> browser.evaluate("document.querySelectorAll('#folded [data-drawn=true]').length")
                                .asInt()
                        == browser.evaluate("document.querySelectorAll('#folded [data-chart]').length")
                                .asInt());
    }

    @Test
    void shouldNeedNoSidewaysScrollingOnATelephone() throws InterruptedException {
        browser.resize(390, 844);
        // The charts are drawn anew after the page has been laid out.
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() ->
                        browser.evaluate("document.documentElement.scrollWidth").asInt() <= 390);
    }

    /** Finds the place of a time by the times that the page shows at two other places, since the margins differ between charts. */
    private void pointAt(String chart, double time) throws InterruptedException {
        browser.evaluate("document.getElementById('chart-" + chart + "').scrollIntoView({block: 'center'})");
        JsonNode box = box("#chart-" + chart);
        double left = box.path("x").asDouble() + box.path("width").asDouble() / 4;
        double right = left + box.path("width").asDouble() / 2;
        double y = box.path("y").asDouble() + box.path("height").asDouble() / 2;
        browser.moveTo(left, y);
        double timeLeft = shownTime();
        browser.moveTo(right, y);
        double timeRight = shownTime();
        browser.moveTo(left + (time - timeLeft) / (timeRight - timeLeft) * (right - left), y);
    }

    private double shownTime() throws InterruptedException {
        return browser.evaluate("+document.querySelector('.readout').dataset.time")
                .asDouble();
    }

    private JsonNode box(String selector) throws InterruptedException {
        return browser.evaluate(
                "(box => ({x: box.x, y: box.y, width: box.width, height: box.height}))(document.querySelector('"
                        + selector + "').getBoundingClientRect())");
    }

    private double from() throws InterruptedException {
        return browser.evaluate("+document.body.dataset.from").asDouble();
    }

    private double to() throws InterruptedException {
        return browser.evaluate("+document.body.dataset.to").asDouble();
    }

    private String text(String selector) throws InterruptedException {
        return browser.evaluate("document.querySelector('" + selector + "').textContent")
                .asText();
    }

    /** Returns the last value of a series at or before a time. */
    private static long valueAt(JsonNode series, double time) {
        long value = -1;
        long us = 0;
        for (int i = 0; i < series.path("x").size(); i++) {
            us += series.path("x").path(i).asLong();
            if (us / US_PER_SECOND > time) {
                break;
            }
            value = series.path("y").path(i).asLong();
        }
        return value;
    }

    /** As the page writes bytes: few digits, and no unit smaller than needed. */
    private static String kibibytes(long bytes) {
        double kib = bytes / 1024.0;
        if (kib < 1) {
            return bytes + " B";
        }
        String digits = String.format(Locale.ROOT, kib < 10 ? "%.2f" : kib < 100 ? "%.1f" : "%.0f", kib);
        return digits.replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "") + " KiB";
    }
}
