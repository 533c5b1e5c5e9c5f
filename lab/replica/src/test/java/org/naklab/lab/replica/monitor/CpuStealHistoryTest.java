package org.naklab.lab.replica.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.TestFiles;

class CpuStealHistoryTest {
    private static final long TICK_NS = 10_000_000;

    @TempDir
    private Path directory;

    /** Two processors lost half of the time each: a thread may have lost half of it, and not all. */
    @Test
    void shouldCountTheProcessorThatLostMost() {
        CpuStealHistory stolen = new CpuStealHistory(TestFiles.stat(directory, 100, 200));
        stolen.sample(0);
        TestFiles.stat(directory, 107, 208);
        stolen.sample(20 * TICK_NS);

        assertThat(stolen.stolenMsIn(new Interval(TICK_NS, 19 * TICK_NS))).isEqualTo(80.0);
    }

    @Test
    void shouldCountNothingThatWasLostBefore() {
        CpuStealHistory stolen = new CpuStealHistory(TestFiles.stat(directory, 100, 200));
        stolen.sample(0);
        TestFiles.stat(directory, 150, 200);
        stolen.sample(TICK_NS);
        stolen.sample(9 * TICK_NS);

        assertThat(stolen.stolenMsIn(new Interval(2 * TICK_NS, 8 * TICK_NS))).isZero();
    }

    @Test
    void shouldKnowNothingWhereTheMachineDoesNotTell() {
        CpuStealHistory stolen = new CpuStealHistory(directory.resolve("absent"));
        stolen.sample(0);

        assertThat(stolen.stolenMsIn(new Interval(0, 0))).isEqualTo(CounterHistory.UNKNOWN);
    }
}
