package org.naklab.lab.instruments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.instruments.disk.Disk;
import org.naklab.lab.instruments.linking.BindingsReader;
import org.naklab.lab.instruments.linking.YielderProgram;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.ReadSocket;
import org.naklab.testing.host.PageCache;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BindForecasterTest {
    @TempDir
    private Path directory;

    private static ReadSocket socket(String thread, int port, double headroomMs) {
        Headroom headroom = new Headroom(
                headroomMs < 0 ? Headroom.Basis.UNKNOWN : Headroom.Basis.MEASURED,
                1_000_000,
                5,
                headroomMs,
                0,
                -1,
                -1,
                0);
        return new ReadSocket(
                new SocketSummary(
                        new SocketIdentity(port, false, "239.1.1.1", port), List.of(), 0, 0, 0, 212_992, 0, headroom),
                Set.of(thread));
    }

    /** Libc has functions of its own to bind, which look into the same library. */
    private static List<BindForecast> ofFar(List<BindForecast> forecasts) {
        return forecasts.stream()
                .filter(forecast -> forecast.caller().library().equals("far"))
                .toList();
    }

    @Test
    void shouldForecastWhatIsMissingUntilTheSymbolIsBound() throws Exception {
        assumeThat(Disk.of(directory)).isPresent();
        Path program = YielderProgram.compileFar(directory, "far");
        try (YielderProgram running = YielderProgram.start(program, Map.of())) {
            PageCache.evict(directory.resolve("libfar.so"));
            BindForecaster forecaster = new BindForecaster(BindingsReader.ofProcess(running.pid()));
            forecaster.look(System.nanoTime());
            List<ReadSocket> sockets = List.of(socket("far", 4_711, 75), socket("far", 4_712, 30));

            List<BindForecast> now = ofFar(forecaster.ofNow(sockets));
            assertThat(now).singleElement().satisfies(forecast -> {
                assertThat(forecast.caller().thread()).isEqualTo("far");
                assertThat(forecast.caller().library()).isEqualTo("far");
                assertThat(forecast.caller().symbols()).hasSize(1);
                assertThat(forecast.delay().reads()).isNotEmpty().allMatch(read -> read.startsWith("libfar.so ."));
                assertThat(forecast.delay().waitMs()).isPositive();
                assertThat(forecast.buffer().socket()).isEqualTo("239.1.1.1:4712");
                assertThat(forecast.buffer().headroomMs()).isEqualTo(30);
            });
            assertThat(ofFar(forecaster.ofShortage(sockets))).singleElement().satisfies(forecast -> assertThat(
                            forecast.delay().reads())
                    .anyMatch(read -> read.startsWith("libfar.so "))
                    .noneMatch(read -> read.startsWith("libc.so")));
            assertThat(ofFar(forecaster.ofNow(List.of(socket("far", 4_711, -1))))
                            .get(0)
                            .buffer()
                            .headroomMs())
                    .isNull();
            assertThat(now.get(0).caller().seen()).isTrue();
            assertThat(ofFar(forecaster.ofNow(List.of(socket("other", 4_711, 75)))))
                    .singleElement()
                    .satisfies(forecast -> assertThat(forecast.caller().seen()).isFalse());

            running.yieldOnce();
            forecaster.look(System.nanoTime());
            assertThat(ofFar(forecaster.ofNow(sockets))).isEmpty();
            assertThat(ofFar(forecaster.ofShortage(sockets))).isEmpty();
        }
    }
}
