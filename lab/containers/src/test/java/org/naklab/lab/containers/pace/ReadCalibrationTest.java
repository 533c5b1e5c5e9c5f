package org.naklab.lab.containers.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.PreparationListener;

@Timeout(60)
final class ReadCalibrationTest {
    private static final long STALL_NS = ns(150);
    private static final ReadThrottle FIRST = ReadThrottle.near(STALL_NS);

    private final List<ReadThrottle> tried = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private long nowNs;

    @Test
    void shouldTakeTheFirstPaceThatComesNear() {
        assertThat(calibrate(0, new ReadTrial.Bind(2, ns(158)))).isEqualTo(FIRST);
        assertThat(tried).containsExactly(FIRST);
    }

    @Test
    void shouldTellWhatIsTriedAndHowFarOffItWas() {
        calibrate(1, new ReadTrial.Bind(3, ns(255)), new ReadTrial.Bind(3, ns(147)));
        assertThat(steps)
                .containsExactly(
                        "attempt 1 of 6, 20 reads per second: a late bind",
                        "attempt 2 of 6, 42 reads per second: a late bind");
        assertThat(findings)
                .containsExactly(
                        "attempt 1 of 6, 20 reads per second: the bind waited for 3 pages and took 255.0 ms, 70 % longer than"
                                + " the requested 150 ms",
                        "attempt 2 of 6, 42 reads per second: the bind waited for 3 pages and took 147.0 ms, 2 % shorter than"
                                + " the requested 150 ms",
                        "2 attempts in 2.0 s: 42 reads per second");
    }

    @Test
    void shouldTakeTheNearestWhenNoTryIsLeft() {
        ReadThrottle nearest = calibrate(
                1,
                new ReadTrial.Bind(2, ns(400)),
                new ReadTrial.Bind(2, ns(90)),
                new ReadTrial.Bind(2, ns(200)),
                new ReadTrial.Bind(2, ns(500)));
        assertThat(tried).hasSize(ReadCalibration.MOST_TRIES).doesNotHaveDuplicates();
        assertThat(nearest).isEqualTo(tried.get(2));
        assertThat(findings.get(findings.size() - 1))
                .contains("the nearest one; the stall may differ from the requested length");
    }

    @Test
    void shouldBeginNoTryWhenTimeIsUp() {
        calibrate(TimeUnit.NANOSECONDS.toSeconds(ReadCalibration.MOST_NS) - 1, new ReadTrial.Bind(2, ns(400)));
        assertThat(tried).hasSize(2);
    }

    @Test
    void shouldTryAgainWhenNoPageWasMissing() {
        assertThat(calibrate(1, new ReadTrial.Bind(0, ns(1)), new ReadTrial.Bind(2, ns(151))))
                .isEqualTo(FIRST);
        assertThat(findings.get(0)).contains("no page was missing");
    }

    @Test
    void shouldGiveUpWhenNoTryMissedAPage() {
        assertThatThrownBy(() -> calibrate(1, new ReadTrial.Bind(0, ns(1))))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("in 6 attempts in 6.0 s evicted pages were read back immediately");
    }

    /** Each try takes so many seconds; when the binds are used up, the last one comes again and again. */
    private ReadThrottle calibrate(long secondsPerTry, ReadTrial.Bind... binds) {
        ReadTrial trial = pace -> {
            tried.add(pace);
            nowNs += TimeUnit.SECONDS.toNanos(secondsPerTry);
            return binds[Math.min(tried.size(), binds.length) - 1];
        };
        PreparationListener listener = new PreparationListener() {
            @Override
            public void onStep(String what) {
                steps.add(what);
            }

            @Override
            public void onFinding(String what) {
                findings.add(what);
            }
        };
        return new ReadCalibration(trial, () -> nowNs, listener).calibrate(STALL_NS);
    }

    private static long ns(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
