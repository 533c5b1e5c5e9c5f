package org.naklab.lab.scenarios.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.Workload;

@Timeout(60)
final class RunRoomTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** What runs took, the files derived from the journal included: they had the room, and not ten times as much is asked for. */
    @ParameterizedTest
    @CsvSource({"10000, 10, 25_460", "5000, 8, 14_576", "5000, 12, 20_932", "6000, 105, 155_000"})
    void shouldAskForAsMuchAsRunsTook(long rate, long seconds, String tookKiB) {
        long took = Long.parseLong(tookKiB.replace("_", "")) << 10;
        assertThat(RunRoom.bytes(flow(rate, seconds * SECOND_NS), InstrumentLevel.NORMAL))
                .isBetween(took, 3 * took);
    }

    @Test
    void shouldGrowWithRateDurationAndObservation() {
        long once = RunRoom.bytes(flow(20_000, 10 * SECOND_NS), InstrumentLevel.NONE) - RunRoom.LEAST_BYTES;
        assertThat(RunRoom.bytes(flow(40_000, 10 * SECOND_NS), InstrumentLevel.NONE) - RunRoom.LEAST_BYTES)
                .isEqualTo(2 * once);
        assertThat(RunRoom.bytes(flow(20_000, 20 * SECOND_NS), InstrumentLevel.NONE) - RunRoom.LEAST_BYTES)
                .isEqualTo(2 * once);
        assertThat(RunRoom.bytes(flow(20_000, 10 * SECOND_NS), InstrumentLevel.NORMAL) - RunRoom.LEAST_BYTES)
                .isEqualTo(once + 10 * (256 << 10));
    }

    @Test
    void shouldCountTheEventsOfABusyMorning() {
        Workload morning = flow(5_000, 60 * SECOND_NS).withMorning(new Preload(8_000, 5 * SECOND_NS, 45 * SECOND_NS));
        assertThat(morning.mostEvents()).isEqualTo(5_000 * 60 + 8_000 * 45);
    }

    @Test
    void shouldAskForMoreThanThereCanBeForAnImpossibleRate() {
        assertThat(RunRoom.bytes(flow(Long.MAX_VALUE, 600 * SECOND_NS), InstrumentLevel.NORMAL))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotGuessWhatIsNotKnown() {
        Workload file =
                new Workload(Path.of("messages.csv"), 1, ArrivalPattern.CONSTANT, 1_000, 0, 0, null, Long.MAX_VALUE);
        Workload recorded =
                new Workload(Path.of("messages.csv"), 1, ArrivalPattern.CONSTANT, 1_000, 2, 0, null, SECOND_NS);
        assertThat(RunRoom.bytes(file, InstrumentLevel.NORMAL)).isEqualTo(RunRoom.LEAST_BYTES);
        assertThat(recorded.mostEvents()).as("at the times of the source").isZero();
        assertThat(flow(0, SECOND_NS).mostEvents()).as("as fast as possible").isZero();
    }

    private static Workload flow(long rate, long durationNs) {
        return new Workload(null, 200, ArrivalPattern.CONSTANT, rate, 0, 0, null, durationNs);
    }
}
