package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;

/**
 * What a page and an audience of twenty take of the pipeline's rate, in turns with and without them: the viewers alone, beside a page that goes on; and viewers, page and
 * instruments together. The figures are printed and written to {@code target/audience.json}. Neither may take 2 % of the rate, with 95 % confidence: a machine with other work, or too few
 * rounds ({@code naklab.audience.rounds}), do not show that, and fail.
 */
@Matrix
@Timeout(value = 900, unit = TimeUnit.SECONDS)
final class AudienceScenario {
    private static final int VIEWERS = 20;
    private static final double MOST_LOSS = 0.02;
    private static final int EVENTS = 12_000_000;
    private static final int ROUNDS = Integer.getInteger("naklab.audience.rounds", 200);

    private final List<AskedProcess> children = new ArrayList<>();

    @TempDir
    private Path directory;

    private record Figures(int viewers, RateBeside.Figures audience, RateBeside.Figures all, List<String> received) {}

    private static AskedProcess start(Class<?> main, String... arguments) {
        return AskedProcess.start(
                main.getSimpleName(),
                new ProcessBuilder(Installation.current()
                                .withOwnClassPath()
                                .command(List.of("-XX:TieredStopAtLevel=1"), main, List.of(arguments)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    @AfterEach
    void end() {
        children.forEach(AskedProcess::close);
        children.clear();
    }

    /** @param received takes what the viewers of each run got */
    private RateBeside.Figures measure(boolean areAllHalted, List<String> received) throws Exception {
        List<AskedProcess> audiences = new ArrayList<>();
        RateBeside.Figures figures = RateBeside.run(
                42,
                EVENTS,
                ROUNDS,
                (pid, aeronDirectory) -> {
                    end();
                    AskedProcess watch = start(
                            WatchedPage.class,
                            String.valueOf(pid),
                            aeronDirectory,
                            Files.createTempDirectory(directory, "watch").toString());
                    children.add(watch);
                    AskedProcess viewers = start(Audience.class, watch.next(), String.valueOf(VIEWERS));
                    children.add(viewers);
                    audiences.add(viewers);
                    assertThat(viewers.next()).isEqualTo("all are there");
                    return areAllHalted ? List.of(watch.pid(), viewers.pid()) : List.of(viewers.pid());
                },
                rounds -> System.out.println(rounds + " of " + ROUNDS + " rounds"));
        children.get(1).endInput();
        received.add(audiences.get(audiences.size() - 1).next());
        end();
        return figures;
    }

    @Test
    void shouldTakeLessThanTwoPercentOfThePipelinesRate() throws Exception {
        List<String> received = new ArrayList<>();
        Figures figures = new Figures(VIEWERS, measure(false, received), measure(true, received), received);
        write(figures);
        for (RateBeside.Figures each : List.of(figures.audience(), figures.all())) {
            assertThat(each.rounds()).isEqualTo(ROUNDS);
            assertThat(each.besidePerSecond()).isPositive();
            assertThat(each.lossTo()).as("upper end of the loss: " + each).isLessThan(MOST_LOSS);
        }
        assertThat(received).allMatch(line -> line.matches("[1-9]\\d* frames, [1-9]\\d* bytes"));
    }

    private static void write(Figures figures) throws IOException {
        String text = Json.pretty(figures);
        System.out.println(text);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("audience.json"), text + "\n");
    }
}
