package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** Where the parts of the report are on a screen: what covers nothing, what fits, and what leads where. */
@Matrix
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class ReportLayoutTest {
    private static final int WIDTH_PX = 1280;
    private static final int HEIGHT_PX = 720;
    /** Between two edges that touch. */
    private static final double ROUNDING_PX = 1;

    @TempDir
    private Path directory;

    private Browser browser;

    /** On a screen, px. */
    private record Box(double left, double top, double right, double bottom) {
        static Box of(JsonNode rectangle) {
            return new Box(
                    rectangle.path("left").asDouble(),
                    rectangle.path("top").asDouble(),
                    rectangle.path("right").asDouble(),
                    rectangle.path("bottom").asDouble());
        }

        boolean meets(Box other) {
            return left + ROUNDING_PX < other.right
                    && other.left + ROUNDING_PX < right
                    && top + ROUNDING_PX < other.bottom
                    && other.top + ROUNDING_PX < bottom;
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path run = Files.createDirectory(directory.resolve("run"));
        FixtureRun.copyTo(run);
        Report.write(run, List.of());
        browser = Browser.open(chromium, directory, Report.of(run), WIDTH_PX, HEIGHT_PX);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void shouldShowThePictureAboveTheFold() throws InterruptedException {
        assertThat(browser.evaluate("window.scrollY").asDouble()).isZero();
        Box answer = box("document.querySelector('.answer')");
        Box picture = box("document.getElementById('chart-depth')");
        assertThat(picture.bottom()).isGreaterThan(picture.top()).isLessThanOrEqualTo(HEIGHT_PX);
        assertThat(answer.bottom()).isLessThanOrEqualTo(HEIGHT_PX);
        assertThat(picture.meets(answer)).isFalse();
    }

    @Test
    void shouldLeadFromLegendWaterfallAndChainToTheirTimes() throws InterruptedException {
        for (String part : List.of("[data-legend] button", "#waterfall .row", "#chain [data-at]")) {
            browser.evaluate("document.getElementById('zoom-all').click()");
            double from = shown("from");
            double length = shown("to") - from;
            browser.evaluate("document.querySelector('" + part + "').click()");
            assertThat(shown("from")).as(part).isGreaterThan(from);
            assertThat(shown("to") - shown("from")).as(part).isLessThan(length);
            assertThat(browser.evaluate("document.querySelectorAll('.cross').length")
                            .asInt())
                    .as("a line marks the time of %s", part)
                    .isPositive();
        }
    }

    @Test
    void shouldPutTheValuesNotUponTheCurves() throws InterruptedException {
        browser.evaluate("document.getElementById('chart-depth').scrollIntoView({block: 'center'})");
        Box chart = box("document.getElementById('chart-depth')");
        browser.moveTo((chart.left() + chart.right()) / 2, (chart.top() + chart.bottom()) / 2);
        Box values = box("document.querySelector('.readout')");
        Box plot = box(plot("depth"));
        assertThat(values.bottom()).isGreaterThan(values.top());
        assertThat(values.meets(plot)).as("%s and %s", values, plot).isFalse();
    }

    @Test
    void shouldPrintNoLabelUponAnother() throws InterruptedException {
        for (String zoom : List.of("zoom-all", "zoom-stall")) {
            browser.evaluate("document.getElementById('" + zoom + "').click()");
            JsonNode labels = browser.evaluate("(() => { const marks = new Set(JSON.parse("
                    + "document.getElementById('run-data').textContent).marks.map(mark => mark.text));"
                    + "return Array.from(document.querySelectorAll('[data-chart] svg text'))"
                    + ".filter(text => marks.has(text.textContent))"
                    + ".map(text => ({text: text.textContent, box: text.getBoundingClientRect().toJSON()})); })()");
            assertThat(labels).as(zoom).hasSizeGreaterThan(1);
            for (int i = 0; i < labels.size(); i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(Box.of(labels.get(i).path("box"))
                                    .meets(Box.of(labels.get(j).path("box"))))
                            .as("%s: %s upon %s", zoom, labels.get(i), labels.get(j))
                            .isFalse();
                }
            }
        }
    }

    /** Before anything is lost, the axis of the drops is not that of the whole run. */
    @Test
    void shouldFitTheAxisToThePartThatIsShown() throws InterruptedException {
        browser.evaluate("document.getElementById('zoom-all').click()");
        double ofAll = axisEnd("drops");
        browser.evaluate("document.querySelector('#chain [data-at]').click()");
        for (int i = 0; i < 6; i++) {
            browser.evaluate("document.getElementById('zoom-in').click()");
        }
        assertThat(axisEnd("drops")).isLessThanOrEqualTo(ofAll / 4);
    }

    @Test
    void shouldGiveASeriesOnePlaceAndOneColourInAllLegends() throws InterruptedException {
        JsonNode legends = browser.evaluate("Array.from(document.querySelectorAll('[data-legend]')).map(legend =>"
                + "Array.from(legend.children).map(entry => ({name: entry.textContent,"
                + "form: entry.tagName, colour: entry.querySelector('path').getAttribute('stroke')})))");
        Map<String, String> colours = new HashMap<>();
        List<List<String>> orders = new ArrayList<>();
        for (JsonNode legend : legends) {
            List<String> names = new ArrayList<>();
            for (JsonNode entry : legend) {
                if (entry.path("form").asText().equalsIgnoreCase("button")) {
                    String name = entry.path("name").asText();
                    names.add(name);
                    String colour = entry.path("colour").asText();
                    assertThat(colours.merge(name, colour, (first, other) -> first))
                            .as(name)
                            .isEqualTo(colour);
                }
            }
            for (List<String> other : orders) {
                assertThat(names.stream().filter(other::contains))
                        .containsExactlyElementsOf(
                                other.stream().filter(names::contains).toList());
            }
            orders.add(names);
        }
        assertThat(orders).filteredOn(names -> names.contains("mds")).hasSizeGreaterThan(1);
    }

    @Test
    void shouldUseAWideScreen() throws InterruptedException {
        browser.resize(1920, 1080);
        Box body = box("document.body");
        assertThat(body.right() - body.left()).isGreaterThan(1_500);
    }

    /** A part that is wider than a telephone scrolls by itself, with a shadow at the side at which there is more. */
    @Test
    void shouldScrollWideTablesOnATelephone() throws InterruptedException {
        browser.resize(390, 844);
        browser.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)");
        browser.evaluate("document.querySelectorAll('.wide table').forEach(each => each.style.minWidth = '600px')");
        JsonNode tables = browser.evaluate("Array.from(document.querySelectorAll('.wide'))"
                + ".filter(each => each.scrollWidth > each.clientWidth + 1).map(each => { const style ="
                + "getComputedStyle(each); each.scrollLeft = 20; return {moved: each.scrollLeft,"
                + "overflow: style.overflowX, background: style.backgroundImage}; })");
        assertThat(tables).isNotEmpty().allSatisfy(table -> {
            assertThat(table.path("overflow").asText()).isEqualTo("auto");
            assertThat(table.path("moved").asDouble()).isPositive();
            assertThat(table.path("background").asText()).contains("gradient");
        });
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asDouble())
                .isCloseTo(390, within(ROUNDING_PX));
    }

    /** The area of the curves, without axes and titles. */
    private static String plot(String chart) {
        return "({getBoundingClientRect: () => { const element = document.getElementById('chart-" + chart + "');"
                + "const box = element.getBoundingClientRect();"
                + "const area = echarts.getInstanceByDom(element).getModel().getComponent('grid').coordinateSystem.getRect();"
                + "return {left: box.left + area.x, top: box.top + area.y, right: box.left + area.x + area.width,"
                + "bottom: box.top + area.y + area.height}; }})";
    }

    private double axisEnd(String chart) throws InterruptedException {
        return browser.evaluate("echarts.getInstanceByDom(document.getElementById('chart-" + chart
                        + "')).getModel().getComponent('yAxis').axis.scale.getExtent()[1]")
                .asDouble();
    }

    private double shown(String end) throws InterruptedException {
        return Double.parseDouble(
                browser.evaluate("document.body.dataset." + end).asText());
    }

    private Box box(String element) throws InterruptedException {
        return Box.of(browser.evaluate("(({left, top, right, bottom}) => ({left, top, right, bottom}))(" + element
                + ".getBoundingClientRect())"));
    }
}
