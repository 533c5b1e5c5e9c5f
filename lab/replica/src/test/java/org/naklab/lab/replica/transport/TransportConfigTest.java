package org.naklab.lab.replica.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.TransportStatistics;

@Timeout(60)
final class TransportConfigTest {
    private static final TransportConfig CONFIG = new TransportConfig(
            "mds",
            TopicChannels.onLoopback(20_000),
            TransportProfile.LBTRM,
            "/dev/shm/lab/mds",
            156_562,
            1_200,
            42,
            -7,
            20_000_000,
            IdleMode.SPIN);

    @Test
    void shouldChangeWhatAContainerChanges() {
        TopicChannels channels = new TopicChannels("mds", 1, 30_000);
        TransportConfig changed = CONFIG.inContainer(channels, "/dev/shm/mds", 9_000);

        assertThat(ChangedComponents.between(CONFIG, changed))
                .containsExactly("aeronDirectory", "channels", "feedMtuBytes");
        assertThat(changed.channels()).isEqualTo(channels);
        assertThat(changed.aeronDirectory()).isEqualTo("/dev/shm/mds");
        assertThat(changed.feedMtuBytes()).isEqualTo(9_000);
    }

    @Test
    void shouldChangeTheLongestDatagramAlone() {
        assertThat(ChangedComponents.between(CONFIG, CONFIG.withFeedMtuBytes(0)))
                .containsExactly("feedMtuBytes");
        assertThat(CONFIG.withFeedMtuBytes(0).feedMtuBytes()).isZero();
    }

    @Test
    void shouldComeOverToTheProcessUnchanged() {
        assertThat(Json.fromLine(Json.line(CONFIG), TransportConfig.class)).isEqualTo(CONFIG);
    }

    @ParameterizedTest
    @EnumSource(IdleMode.class)
    void shouldGiveEachThreadAStrategyOfItsOwn(IdleMode mode) {
        IdleStrategy first = mode.newStrategy();

        assertThat(mode.newStrategy()).isNotSameAs(first);
        assertThat(first instanceof BusySpinIdleStrategy).isEqualTo(mode == IdleMode.SPIN);
    }

    @Test
    void shouldRecordEachCounterUnderItsName() {
        TransportStatistics statistics = new TransportStatistics(
                new TransportStatistics.Repair(1, 2, 3, 4),
                new TransportStatistics.Limits(5, 60, 70, 80),
                new TransportStatistics.Bytes(90, 100),
                6,
                new TransportStatistics.Foreign(9, 10),
                new TransportStatistics.Order(7, 8));

        assertThat(TransportRecords.of(statistics))
                .isEqualTo(new TransportRecord(1, 2, 3, 4, 5, 6, new TransportRecord.Order(7L, 8L)));
        assertThat(TransportRecords.foreign(statistics)).isEqualTo(new ForeignTrafficRecord(9, 10, 0, 0));
    }
}
