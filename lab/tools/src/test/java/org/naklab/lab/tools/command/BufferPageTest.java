package org.naklab.lab.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.tools.buffers.BufferPoint;

@Timeout(60)
final class BufferPageTest {
    private static final List<BufferPoint> POINTS = List.of(
            new BufferPoint(5_000, 100_000_000, 500, 400_000, 401_000, 0),
            new BufferPoint(50_000, 100_000_000, 5_000, 4_000_000, 0, 1_234));

    @TempDir
    private Path directory;

    @Test
    void shouldShowTheTableAndTheChart() throws IOException {
        Path file = directory.resolve("buffers.html");
        new BufferPage(128, 800, 2 << 20, POINTS).writePage(file);
        Document page = Jsoup.parse(file);
        assertThat(page.select("#points tbody tr").eachText())
                .containsExactly(
                        "5,000 100.0 ms 500 400,000 401,000 1.003",
                        "50,000 100.0 ms 5,000 4,000,000 more than the kernel grants 1,234 lost");
        assertThat(page.select("svg circle")).hasSize(1);
        assertThat(page.select("svg .line")).hasSize(2);
        assertThat(page.select("svg .limit")).hasSize(1);
        assertThat(page.select("svg > text").eachText())
                .as("the titles of both axes")
                .contains("receive buffer, KiB", "length of the stall, ms");
        assertThat(page.select("svg .grid + text").eachText())
                .as("the unit of an axis is in its title")
                .contains("4,096", "100.0")
                .allMatch(label -> label.matches("[0-9.,]+"));
        assertThat(page.select("#measured").text())
                .startsWith("Measured until ")
                .contains(" CPU", ", JDK ");
        assertThat(page.select("[src], link:not([href^=data:]), iframe, img, script"))
                .isEmpty();
    }

    /** The dot is where the line of its rate is, if the measured size is that of the arithmetic. */
    @Test
    void shouldDrawTheMeasuredSizeOnTheLineOfTheArithmetic() throws IOException {
        Path file = directory.resolve("buffers.svg");
        new BufferPage(128, 800, 8 << 20, List.of(new BufferPoint(5_000, 100_000_000, 500, 400_000, 400_000, 0)))
                .writeChart(file);
        Document chart = Jsoup.parse(file);
        double x1 = number(chart, ".line", "x1");
        double y1 = number(chart, ".line", "y1");
        double slope = (number(chart, ".line", "y2") - y1) / (number(chart, ".line", "x2") - x1);
        double expected = y1 + slope * (number(chart, "circle", "cx") - x1);
        assertThat(number(chart, "circle", "cy")).isBetween(expected - 0.2, expected + 0.2);
        assertThat(chart.select(".limit")).isEmpty();
    }

    private static double number(Document chart, String element, String attribute) {
        return Double.parseDouble(chart.select(element).attr(attribute));
    }
}
