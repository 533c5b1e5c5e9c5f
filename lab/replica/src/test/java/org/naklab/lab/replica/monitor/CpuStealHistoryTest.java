package org.naklab.lab.replica.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.TestFiles;

class CpuStealHistoryTest {
    private static final long TICK_NS = 10_000_000;

    @TempDir
    private Path directory;

    /** Two processors lost half of the time each: a thread may have lost half of it, and not all. */
    @Test
    void shouldCountTheProcessorThatLostMost() {
        CpuStealHistory stolen = new CpuStealHistory(TestFiles.stat(directory, 100, 200));
        stolen.sample();
        long beginNs = System.nanoTime();
        TestFiles.stat(directory, 107, 208);
        stolen.sample();

        assertThat(stolen.stolenNsSince(beginNs)).isEqualTo(8 * TICK_NS);
    }

    @Test
    void shouldCountNothingThatWasLostBefore() {
        CpuStealHistory stolen = new CpuStealHistory(TestFiles.stat(directory, 100, 200));
        stolen.sample();
        TestFiles.stat(directory, 150, 200);
        stolen.sample();
        long beginNs = System.nanoTime();
        stolen.sample();

        assertThat(stolen.stolenNsSince(beginNs)).isZero();
    }

    @Test
    void shouldKnowNothingWhereTheMachineDoesNotTell() {
        CpuStealHistory stolen = new CpuStealHistory(directory.resolve("absent"));
        stolen.sample();

        assertThat(stolen.stolenNsSince(System.nanoTime())).isEqualTo(CounterHistory.UNKNOWN);
    }
}
