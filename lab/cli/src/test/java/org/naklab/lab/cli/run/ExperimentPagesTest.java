package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.scenarios.experiment.RemedyComparison;

/** The pages of the experiments. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ExperimentPagesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldShowWhatWasInjectedAgainstWhatWasDiagnosed() throws IOException {
        Path run = Files.createDirectories(directory.resolve("runs/a run"));
        Files.writeString(run.resolve("report.html"), "");
        Path file = directory.resolve("pages/confusion.html");
        ConfusionPage.write(
                file,
                List.of(
                        attempt("slow-callback", "slow-callback", true, run),
                        attempt("slow-callback", "machine-stalled", false, run),
                        attempt("slow-callback", "slow-callback", true, run),
                        attempt("network-loss", "traffic-burst", true, directory.resolve("gone"))),
                Map.of("cpu-preemption", "needs <CAP_SYS_NICE>"));
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text()).isEqualTo("2 of 3 runs were diagnosed as the injected cause.");
        assertThat(page.select("#matrix thead th").eachText())
                .containsExactly("injected", "slow-callback", "network-loss", "traffic-burst");
        assertThat(page.select("#matrix td.hit").eachText()).containsExactly("2");
        assertThat(page.select("#matrix td.miss").eachText()).containsExactly("1 !");
        assertThat(page.select("#matrix td.miss").attr("aria-label")).contains("network-loss", "traffic-burst");
        assertThat(page.select("#attempts tbody tr")).hasSize(4);
        assertThat(page.select("#attempts").text())
                .contains("unknown, repeated")
                .contains("traffic-burst (!)");
        assertThat(page.select("#attempts a").eachAttr("href"))
                .containsOnly("../runs/a%20run/report.html")
                .hasSize(3);
        assertThat(page.select("li").text()).isEqualTo("cpu-preemption: needs <CAP_SYS_NICE>");
        shouldTellWhenAndWhereItWasMeasured(page);
        shouldNeedNoNetwork(page);
    }

    @Test
    void shouldShowAComparisonOfNoRun() throws IOException {
        Path file = directory.resolve("comparison.html");
        RemedyComparisonPage.write(file, new RemedyComparison(List.of()));
        Document page = Jsoup.parse(file);
        assertThat(page.text()).contains("No remedy was seen to remove the cause.");
        shouldTellWhenAndWhereItWasMeasured(page);
        shouldNeedNoNetwork(page);
    }

    private static void shouldTellWhenAndWhereItWasMeasured(Document page) {
        assertThat(page.select("#measured").text())
                .matches("Measured until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC on \\d+ CPUs? \\(.+\\), .+, JDK .+\\.");
    }

    private static void shouldNeedNoNetwork(Document page) {
        assertThat(page.select("[src], link:not([href^=data:]), iframe, img, script"))
                .isEmpty();
        assertThat(page.select("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none'");
    }

    private static ConfusionPage.Attempt attempt(String injected, String diagnosed, boolean isCounted, Path run) {
        return new ConfusionPage.Attempt(
                injected,
                7,
                diagnosed,
                "certain",
                isCounted ? "pass" : "unknown",
                injected.equals(diagnosed),
                isCounted,
                run);
    }
}
