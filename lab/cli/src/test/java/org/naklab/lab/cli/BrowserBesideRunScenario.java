package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/**
 * The verdict of a run whose page is open in a browser on the same processors is that of a run without one, seed by seed and in turns. A run without a verdict is made
 * again. The verdicts are printed and written to {@code target/browser-beside.json}; {@code naklab.beside.seeds} is the number of seeds.
 */
@Matrix
@Timeout(value = 3_600, unit = TimeUnit.SECONDS)
final class BrowserBesideRunScenario {
    private static final int SEEDS = Integer.getInteger("naklab.beside.seeds", 10);
    private static final long FIRST_SEED = 81;
    private static final Pattern URL = Pattern.compile("live at (http://\\S+)");
    private static final String WITHOUT_VERDICT = "unknown";

    private enum Arm {
        ALONE,
        BESIDE_A_BROWSER
    }

    /** The verdict and the diagnosis of one run, with what it lost. */
    private record Told(String verdict, String diagnosis, long naks, long drawn) {}

    private record Row(long seed, Arm arm, int attempt, Told told) {}

    @TempDir
    private Path directory;

    private int runs;

    private Told run(Arm arm, long seed) throws InterruptedException {
        try {
            Path own = Files.createDirectory(directory.resolve("run-" + runs++));
            try (NaklabProcess naklab = NaklabProcess.runScenario(
                    "mystery",
                    own,
                    "--fidelity",
                    "simulated",
                    "--duration",
                    "5",
                    "--seed",
                    String.valueOf(seed),
                    "--serve=0",
                    "--json")) {
                naklab.await("the page", () -> URL.matcher(naklab.err()).find());
                Matcher url = URL.matcher(naklab.err());
                assertThat(url.find()).isTrue();
                if (arm == Arm.ALONE) {
                    return told(naklab, 0);
                }
                try (Browser browser = Browser.open(
                        Chromium.find(),
                        Files.createDirectory(own.resolve("browser")),
                        URI.create(url.group(1)),
                        1280,
                        720)) {
                    naklab.await("the strips", () -> drawn(browser) > 3);
                    long drawn = drawn(browser);
                    return told(naklab, drawn);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long drawn(Browser browser) {
        try {
            return browser.evaluate("document.querySelectorAll('canvas').length")
                    .asLong();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The page stays after the run, until somebody ends it. */
    private static Told told(NaklabProcess naklab, long drawn) {
        naklab.await("the end of the run", () -> naklab.err().contains("the last run stays at "));
        naklab.signal("INT", naklab.handle());
        NaklabOutcome outcome = naklab.outcome();
        return new Told(
                outcome.document().path("verdict").asText(),
                outcome.document().path("diagnosis").asText(),
                outcome.document().path("naks").asLong(),
                drawn);
    }

    @Test
    void shouldHaveTheVerdictOfARunWithoutABrowser() throws InterruptedException, IOException {
        List<Row> rows = new ArrayList<>();
        Map<Long, Map<Arm, Told>> counted = new TreeMap<>();
        new Experiment<>(Experiment.Order.IN_TURNS, this::run, rules(rows, counted), () -> false)
                .run(List.of(Arm.values()), FIRST_SEED, SEEDS);
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("browser-beside.json"), Json.pretty(rows) + "\n");
        assertThat(counted).hasSize(SEEDS).allSatisfy((seed, told) -> assertThat(told.values())
                .as("seed " + seed)
                .extracting(Told::verdict, Told::diagnosis)
                .hasSize(2)
                .containsOnly(tuple("pass", "late-binding-simulated")));
    }

    private static Experiment.Rules<Arm, Told> rules(List<Row> rows, Map<Long, Map<Arm, Told>> counted) {
        return new Experiment.Rules<>() {
            @Override
            public boolean isInDoubt(Arm arm, Told result) {
                return result.verdict().equals(WITHOUT_VERDICT);
            }

            @Override
            public void onTrial(Trial<Arm, Told> trial) {
                Row row = new Row(trial.seed(), trial.arm(), trial.attempt(), trial.result());
                rows.add(row);
                System.out.println(Json.line(row));
                if (trial.isCounted()) {
                    counted.computeIfAbsent(trial.seed(), seed -> new TreeMap<>())
                            .put(trial.arm(), trial.result());
                }
            }
        };
    }
}
