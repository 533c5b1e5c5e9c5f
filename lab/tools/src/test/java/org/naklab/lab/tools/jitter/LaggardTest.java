package org.naklab.lab.tools.jitter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Matrix;

@Timeout(120)
@Matrix
class LaggardTest {
    private static final long PREPARED_NS = 50_000_000;

    @Test
    void shouldEndWheneverItIsToldWhileItCopies() throws Exception {
        assertEnds(LongWay::copy);
    }

    @Test
    void shouldEndWheneverItIsToldWhileItLoops() throws Exception {
        assertEnds(units -> LongWay.loop());
    }

    /** About when it asks for the first pause, which the other thread may see or not. */
    private static void assertEnds(IntFunction<LongWay> ways) throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Laggard laggard = new Laggard(ways, 10_000);
            long fromNs = System.nanoTime() + PREPARED_NS;
            Thread running = new Thread(() -> laggard.run(fromNs), "laggard");
            running.start();
            while (System.nanoTime() - fromNs < i * 10_000L) {
                Thread.onSpinWait();
            }
            laggard.end();
            running.join();
            assertThat(laggard.made()).allMatch(pause -> pause.lengthNs() >= 5_000);
        }
    }
}
