package org.naklab.lab.instruments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.linking.YielderProgram;

@Timeout(120)
final class BindForecastMonitorTest {
    @TempDir
    private Path directory;

    /** A thread that dies of an exception ends the whole lab, and the watch with it. */
    @Test
    void shouldSayWhyThereAreNoForecasts() throws Exception {
        Path program = YielderProgram.compile(directory, "yielder", "-fplt", "-Wl,-z,lazy");
        CountDownLatch asked = new CountDownLatch(1);
        try (YielderProgram running = YielderProgram.start(program, Map.of())) {
            BindForecastMonitor monitor = new BindForecastMonitor(running.pid(), () -> {
                asked.countDown();
                throw new IllegalStateException("a damaged file");
            });
            asked.await();
            monitor.close();
            assertThat(monitor.takeNews())
                    .containsExactly("no forecast of late binds: java.lang.IllegalStateException: a damaged file");
            assertThat(monitor.takeNews()).isEmpty();
        }
    }
}
