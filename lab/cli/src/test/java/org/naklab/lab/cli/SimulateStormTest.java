package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SimulateStormTest {
    @TempDir
    private Path directory;

    @Test
    void shouldCompareGroupsOfGrowingSizeAndDrawThem() throws IOException {
        Path svg = directory.resolve("storm.svg");
        CommandLineRun run = CommandLineRun.of(
                "simulate", "storm", "--receivers", "100,10", "--read-time", "40us", "--json", "--svg", svg.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode groups = Json.parse(run.out()).path("groups");
        List<String> storms = new ArrayList<>();
        groups.forEach(group -> {
            if (!group.path("figures").path("storm").isEmpty()) {
                storms.add(group.path("severity").path("trouble").asText() + " "
                        + group.path("profile").asText());
            }
        });
        assertThat(groups).hasSize(24);
        assertThat(groups.path(0).path("receivers").asInt()).isEqualTo(10);
        assertThat(storms).contains("one-slow-receiver AERON").hasSizeLessThan(24);

        Document chart = Jsoup.parse(svg);
        assertThat(chart.select("polyline")).hasSize(12);
        assertThat(chart.select("circle")).hasSize(24);
        assertThat(chart.select("circle").eachAttr("fill"))
                .filteredOn(fill -> !fill.equals("#fff"))
                .as("full dots")
                .hasSameSizeAs(storms);
    }

    @Test
    void shouldSayFromWhichGroupOnThereIsAStormAndWhatPreventsIt() {
        CommandLineRun run = CommandLineRun.of("simulate", "storm", "--receivers", "10,100", "--read-time", "40us");
        assertThat(run.out())
                .containsPattern("one-slow-receiver of 150 ms, aeron:\\s+storm from 10 receivers on")
                .contains("prevented there by ");
        assertThat(run.out().lines().filter(line -> !line.startsWith("  ")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void shouldRefuseAGroupThatIsTooLarge() {
        CommandLineRun run = CommandLineRun.of("simulate", "storm", "--receivers", "10,20000");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("up to 10000");
    }
}
