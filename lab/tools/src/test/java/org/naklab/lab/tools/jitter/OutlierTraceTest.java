package org.naklab.lab.tools.jitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.core.trace.CpuActivity.Kind;
import org.naklab.lab.core.trace.TraceLine;

@Timeout(60)
class OutlierTraceTest {
    private static final Path FILE = Path.of("window-trace.txt.gz");

    @TempDir
    private Path directory;

    @Test
    void shouldTellWhatHadTheCpuOfTheThreadThatWasLate() {
        List<TraceLine> lines = List.of(
                line(100, 1, LatencyMeter.CONSUMER, "sched_switch", "prev_comm=x ==> next_comm=burner next_pid=7"),
                line(150, 0, "other", "sched_switch", "prev_comm=other ==> next_comm=idle next_pid=0"),
                line(180, 1, "burner", "sched_switch", "prev_comm=burner ==> next_comm=jitter-consumer next_pid=8"),
                line(300, 1, LatencyMeter.CONSUMER, "sched_switch", "prev_comm=x ==> next_comm=late next_pid=9"));
        JitterReport.WorstTrace trace = OutlierTrace.read(lines, FILE, LatencyMeter.CONSUMER, new Interval(100, 200));
        assertThat(trace.cpu()).isEqualTo(1);
        assertThat(trace.activity())
                .containsExactly(
                        new CpuActivity.Sum(Kind.THREAD, "burner", 1, 80, 80),
                        new CpuActivity.Sum(Kind.THREAD, LatencyMeter.CONSUMER, 1, 20, 20));
        assertThat(OutlierTrace.read(lines, FILE, LatencyMeter.PRODUCER, new Interval(100, 200))
                        .cpu())
                .isEqualTo(-1);
    }

    /** A message that was later than all before it is kept, and a lesser one does not take its place. */
    @Test
    void shouldKeepTheTraceOfTheWorstOutlier() {
        try (OutlierTrace trace = start()) {
            long readNs = System.nanoTime();
            trace.onWorse(new MeterLine.WorstSoFar(200_000, readNs));
            Outlier worst = new Outlier(readNs - 200_000, readNs, readNs - 200_000, readNs - 10, readNs, 1);
            JitterReport.WorstTrace kept = trace.end(worst);
            assertThat(kept).isNotNull();
            assertThat(kept.thread()).isEqualTo(LatencyMeter.PRODUCER);
            assertThat(Path.of(kept.file())).isRegularFile();
        }
        assertThat(directory.resolve("window-trace.json")).isRegularFile();
    }

    @Test
    void shouldKeepNothingWithoutAnOutlier() {
        try (OutlierTrace trace = start()) {
            assertThat(trace.end(null)).isNull();
        }
        assertThat(Files.exists(directory.resolve("window-trace.json"))).isFalse();
    }

    private OutlierTrace start() {
        try {
            return OutlierTrace.start(directory, List.of(LatencyMeter.CONSUMER));
        } catch (UnavailableException e) {
            return abort(e.getMessage());
        }
    }

    private static TraceLine line(long timeNs, int cpu, String comm, String event, String text) {
        return new TraceLine(timeNs, cpu, 5, comm, event, text, List.of());
    }
}
