package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StolenProcessorsTest {
    private static final long TICK_NS = 10_000_000;

    @TempDir
    private Path directory;

    /** Two processors lost half of the time each: a thread may have lost half of it, and not all. */
    @Test
    void shouldCountTheProcessorThatLostMost() throws IOException {
        write(100, 200);
        StolenProcessors stolen = new StolenProcessors(stat());
        stolen.sample();
        long beginNs = System.nanoTime();
        write(107, 208);
        stolen.sample();

        assertThat(stolen.stolenNsSince(beginNs)).isEqualTo(8 * TICK_NS);
    }

    @Test
    void shouldCountNothingThatWasLostBefore() throws IOException {
        write(100, 200);
        StolenProcessors stolen = new StolenProcessors(stat());
        stolen.sample();
        write(150, 200);
        stolen.sample();
        long beginNs = System.nanoTime();
        stolen.sample();

        assertThat(stolen.stolenNsSince(beginNs)).isZero();
    }

    @Test
    void shouldKnowNothingWhereTheMachineDoesNotTell() {
        StolenProcessors stolen = new StolenProcessors(directory.resolve("absent"));
        stolen.sample();

        assertThat(stolen.stolenNsSince(System.nanoTime())).isEqualTo(ThreadHistory.UNKNOWN);
    }

    private Path stat() {
        return directory.resolve("stat");
    }

    private void write(long first, long second) throws IOException {
        Files.writeString(
                stat(),
                "cpu  9 9 9 9 9 9 9 " + (first + second) + " 0 0\ncpu0 4 4 4 4 4 4 4 " + first
                        + " 0 0\ncpu1 5 5 5 5 5 5 5 " + second + " 0 0\nctxt 1\n");
    }
}
