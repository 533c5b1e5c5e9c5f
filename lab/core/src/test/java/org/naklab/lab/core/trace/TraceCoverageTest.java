package org.naklab.lab.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.Interval;

@Timeout(60)
class TraceCoverageTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 100_000 * MS;

    /** The ring has 100.010 to 100.070 s of the CPU. */
    @ParameterizedTest
    @CsvSource({
        // begin, end, covered, before, after, enough, nearly all
        "20, 60, 40, 0, 0, true, true",
        "10, 70, 60, 0, 0, true, true",
        "0, 60, 50, 10, 0, true, false",
        "60, 100, 10, 0, 30, true, false",
        "0, 100, 60, 10, 30, true, false",
        "5, 65, 55, 5, 0, true, true",
        "69, 100, 1, 0, 30, false, false",
        "0, 11, 1, 10, 0, false, false",
        "80, 90, 0, 0, 10, false, false",
        "0, 5, 0, 5, 0, false, false",
    })
    void shouldTellWhatTheTraceHasOfAnIncident(
            long beginMs,
            long endMs,
            long coveredMs,
            long beforeMs,
            long afterMs,
            boolean isEnough,
            boolean isNearlyAll)
            throws IOException {
        TraceCoverage coverage = of(beginMs * MS, endMs * MS);

        assertThat(coverage.coveredNs()).isEqualTo(coveredMs * MS);
        assertThat(coverage.share()).isEqualTo((double) coveredMs / (endMs - beginMs));
        assertThat(coverage.missedBeforeNs()).isEqualTo(beforeMs * MS);
        assertThat(coverage.missedAfterNs()).isEqualTo(afterMs * MS);
        assertThat(coverage.isEnough()).isEqualTo(isEnough);
        assertThat(coverage.isNearlyAll()).isEqualTo(isNearlyAll);
    }

    /** A microsecond is some of the incident, and not enough. */
    @Test
    void shouldNotTakeAMicrosecondForTheIncident() throws IOException {
        TraceCoverage coverage = of(70 * MS - 1_000, 130 * MS);
        assertThat(coverage.coveredNs()).isEqualTo(1_000);
        assertThat(coverage.isEnough()).isFalse();
    }

    @Test
    void shouldHaveNothingOfACpuWithoutEvents() throws IOException {
        TraceCoverage other =
                TraceCoverage.of(lines(), 7, new Interval(SECOND + 20 * MS, SECOND + 60 * MS), SECOND + 70 * MS);
        assertThat(other.coveredNs()).isZero();
        assertThat(other.isEnough()).isFalse();
    }

    private static TraceCoverage of(long beginNs, long endNs) throws IOException {
        return TraceCoverage.of(lines(), 1, new Interval(SECOND + beginNs, SECOND + endNs), SECOND + 70 * MS);
    }

    private static List<TraceLine> lines() throws IOException {
        return TraceFile.read(new StringReader("""
                    hog-7       [000] d.h..   100.000000: local_timer_entry: vector=236
                    context-2   [001] d.h..   100.010000: local_timer_entry: vector=236
                    context-2   [001] d.h..   100.014000: local_timer_entry: vector=236
                """));
    }
}
