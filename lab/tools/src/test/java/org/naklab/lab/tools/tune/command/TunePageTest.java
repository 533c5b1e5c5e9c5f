package org.naklab.lab.tools.tune.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.tools.tune.AnytimeInterval;
import org.naklab.lab.tools.tune.workload.Metric;
import org.naklab.testing.browser.PageInBrowser;

@Timeout(60)
final class TunePageTest {
    private static final TunedArm.Price PRICE = new TunedArm.Price(64 << 20, 2 << 20, 1_200, 3_000, List.of());

    @TempDir
    private Path directory;

    @Test
    void shouldShowTheAnswerTheIntervalAndTheProof() throws IOException, InterruptedException {
        Path file = directory.resolve("tune.html");
        TunedArm control = new TunedArm(
                "default",
                List.of(),
                new TunedArm.Tries(6, List.of(), 0),
                new TunedArm.Outcome(1_000_000.0, null, null, null),
                new TunedArm.Proof(List.of(), List.of()),
                List.of(),
                PRICE);
        TunedArm faster = new TunedArm(
                "thp",
                List.of("-XX:+UseTransparentHugePages"),
                new TunedArm.Tries(6, List.of("round 3: the JVM ended with 134"), 2),
                new TunedArm.Outcome(1_100_000.0, null, new AnytimeInterval(0.05, 0.1, 0.15), Answer.HELPS),
                new TunedArm.Proof(List.of("UseTransparentHugePages is true"), List.of()),
                List.of(),
                new TunedArm.Price(64 << 20, 2 << 20, 1_200, 3_000, List.of("A page fault may wait.")));
        TunedArm absent = new TunedArm(
                "reserved",
                List.of("sysctl:vm.nr_hugepages=<768>"),
                new TunedArm.Tries(1, List.of(), 0),
                new TunedArm.Outcome(990_000.0, null, null, Answer.NOT_IN_EFFECT),
                new TunedArm.Proof(List.of(), List.of("nr_hugepages is 7")),
                List.of(),
                PRICE);
        TunedArm broken = new TunedArm(
                "broken",
                List.of("-Xbroken"),
                new TunedArm.Tries(0, List.of("round 1: no JVM"), 0),
                new TunedArm.Outcome(null, null, null, Answer.FAILED),
                new TunedArm.Proof(List.of(), List.of()),
                List.of(),
                null);
        TunePage.write(
                file,
                List.of(new Comparison(
                        "book",
                        "order books",
                        Metric.EVENTS,
                        0.03,
                        List.of(control, faster, absent, broken),
                        Map.of("jemalloc", "no library"))));

        Document page = Jsoup.parse(file);
        assertThat(page.select(".answer").text()).isEqualTo("thp: helps. reserved: not in effect. broken: failed.");
        assertThat(page.select(".arms td.good").eachText()).containsExactly("helps");
        assertThat(page.select(".arms td.doubt").eachText()).containsExactly("not in effect", "failed");
        assertThat(page.select(".arms svg").eachAttr("aria-label")).containsExactly("+10.0 % (+5.0 to +15.0)");
        assertThat(page.select(".arms .range").attr("x")).isEqualTo("106.7");
        assertThat(page.select(".arms .range").attr("width")).isEqualTo("53.3");
        assertThat(page.select(".proof").text())
                .contains("UseTransparentHugePages is true", "not in effect: nr_hugepages is 7", "<768>")
                .contains("run left out: round 3: the JVM ended with 134", "run left out: round 1: no JVM")
                .contains("A page fault may wait.");
        assertThat(page.select(".arms").text()).contains("6, 1 left out, 2 with verdict fail");
        assertThat(page.select("li").text()).isEqualTo("jemalloc: no library");
        assertThat(page.select("#measured").text())
                .startsWith("Measured until ")
                .contains(" CPU", ", JDK ");
        assertThat(page.select("[src], link:not([href^=data:]), iframe, img, script"))
                .isEmpty();
        PageInBrowser.requireToFit(directory, file);
    }

    /** Shares of runs that hit stand in the same table, with their own words. */
    @Test
    void shouldShowSharesOfRunsThatHit() throws IOException {
        Path file = directory.resolve("heisenberg.html");
        Comparison comparison = new Comparison(
                "mystery",
                "the runs in which the service sent a NAK",
                Metric.HITS,
                0.2,
                List.of(
                        level("none", 20, null, null),
                        level("full", 5, new AnytimeInterval(-0.89, -0.75, -0.51), Answer.LESS_OFTEN)),
                Map.of());
        TunePage.write(file, List.of(comparison));

        Document page = Jsoup.parse(file);
        assertThat(page.select(".answer").text()).isEqualTo("full: less often.");
        assertThat(page.select(".arms").text())
                .contains("effect against none", "20 of 20, 84 to 100 %", "5 of 20, 11 to 47 %")
                .contains("-75 points (-89 to -51)");
        assertThat(page.text())
                .contains("larger share of runs that hit", "difference of the shares (Newcombe)")
                .doesNotContain("An effect above zero is an improvement", "however often one looks");
        assertThat(comparison.effectHead()).isEqualTo("difference from none");
        assertThat(comparison.isAnswered()).isTrue();
    }

    private static TunedArm level(String name, int hits, @Nullable AnytimeInterval effect, @Nullable Answer answer) {
        return new TunedArm(
                name,
                List.of("observe:" + name),
                new TunedArm.Tries(20, List.of(), 0),
                new TunedArm.Outcome(null, WilsonInterval.of(hits, 20), effect, answer),
                new TunedArm.Proof(List.of(), List.of()),
                List.of(),
                PRICE);
    }
}
