package org.naklab.lab.bench.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaggardTest {
    /** Its threads may be anywhere when it is told to end. */
    @Test
    void shouldEndWheneverItIsTold() throws Exception {
        for (int i = 0; i < 50; i++) {
            Laggard laggard = new Laggard(1_000);
            Thread running = new Thread(() -> laggard.run(System.nanoTime()), "laggard");
            running.start();
            laggard.end();
            running.join();
            assertThat(laggard.made()).allMatch(pause -> pause.lengthNs() >= 500);
        }
    }
}
