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
 * A page and an audience of twenty take less than 10 % of the rate of a pipeline on the same CPUs, with 95 % confidence. The instruments of a run go on at all times; in turns they are
 * those of a process that serves the page, and those of one that does not. The figures are printed and written to {@code target/audience.json}. A machine with other work, or too few
 * rounds ({@code naklab.audience.rounds}), do not show it, and fail. {@code naklab.audience.viewers} tells what one viewer costs.
 */
@Matrix
@Timeout(value = 900, unit = TimeUnit.SECONDS)
final class AudienceScenario {
    private static final int VIEWERS = Integer.getInteger("naklab.audience.viewers", 20);
    private static final double MOST_LOSS = 0.1;
    private static final int EVENTS = 12_000_000;
    private static final int ROUNDS = Integer.getInteger("naklab.audience.rounds", 120);

    private final List<AskedProcess> children = new ArrayList<>();

    @TempDir
    private Path directory;

    private record Figures(int viewers, RateBeside.Figures page, String received) {}

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

    private AskedProcess watch(long pid, String aeronDirectory, boolean isServed) throws IOException {
        AskedProcess watch = start(
                WatchedPage.class,
                String.valueOf(pid),
                aeronDirectory,
                Files.createTempDirectory(directory, "watch").toString(),
                String.valueOf(isServed));
        children.add(watch);
        return watch;
    }

    @Test
    void shouldTakeLessThanATenthOfThePipelinesRate() throws Exception {
        RateBeside.Figures page = RateBeside.run(
                42,
                EVENTS,
                ROUNDS,
                (pid, aeronDirectory) -> {
                    end();
                    AskedProcess unserved = watch(pid, aeronDirectory, false);
                    assertThat(unserved.next()).isEqualTo("no page");
                    AskedProcess served = watch(pid, aeronDirectory, true);
                    AskedProcess viewers = start(Audience.class, served.next(), String.valueOf(VIEWERS));
                    children.add(viewers);
                    assertThat(viewers.next()).isEqualTo("all are there");
                    return new RateBeside.Sides(List.of(unserved.pid()), List.of(served.pid(), viewers.pid()));
                },
                rounds -> System.out.println(rounds + " of " + ROUNDS + " rounds"));
        AskedProcess viewers = children.get(children.size() - 1);
        viewers.endInput();
        Figures figures = new Figures(VIEWERS, page, viewers.next());
        write(figures);
        assertThat(page.rounds()).isEqualTo(ROUNDS);
        assertThat(page.withPerSecond()).isPositive();
        assertThat(figures.received()).matches("[1-9]\\d* frames, [1-9]\\d* bytes");
        assertThat(page.lossTo()).as("upper end of the loss: " + page).isLessThan(MOST_LOSS);
    }

    private static void write(Figures figures) throws IOException {
        String text = Json.pretty(figures);
        System.out.println(text);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("audience.json"), text + "\n");
    }
}
