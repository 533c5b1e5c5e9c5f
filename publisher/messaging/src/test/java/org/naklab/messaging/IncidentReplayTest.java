package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.host.FreePorts;

@Timeout(180)
class IncidentReplayTest {
    private final Contexts contexts = new Contexts(FreePorts.pair());

    @Test
    void shouldLoseAndRepairAtTheStalledReceiverOnly() {
        try (IncidentReplay replay = new IncidentReplay(contexts, TransportProfile.LBTRM)) {
            replay.send(IncidentReplay.MESSAGES_PER_SECOND / 2);
            replay.stallFor150Ms();
            replay.send(IncidentReplay.MESSAGES_PER_SECOND);
            replay.awaitRepair();

            assertThat(replay.stalled.context.statistics().repair().naksSent()).isPositive();
            assertThat(replay.stalled.context.lossEntries()).isNotEmpty();
            assertThat(replay.sender.statistics().repair().retransmitsSent()).isPositive();
            assertThat(replay.sender.statistics().limits().senderLimits()).isZero();
            // The repair did not flood the healthy socket.
            assertThat(replay.other.context.statistics().repair().naksSent()).isZero();
            assertThat(replay.other.context.lossEntries()).isEmpty();
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldFloodTheOtherReceiverWithAeronsUnlimitedRepair() {
        try (IncidentReplay replay = new IncidentReplay(contexts, TransportProfile.AERON)) {
            replay.send(IncidentReplay.MESSAGES_PER_SECOND / 2);
            replay.stallFor150Ms();
            replay.send(IncidentReplay.MESSAGES_PER_SECOND);
            replay.awaitRepair();

            // Aeron's max flow control follows the fastest receiver, so the stalled one loses here too.
            assertThat(replay.stalled.context.lossEntries()).isNotEmpty();
            assertThat(replay.other.context.lossEntries()).isNotEmpty();
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldNotNakWithoutAStall() {
        for (TransportProfile profile : TransportProfile.values()) {
            try (IncidentReplay replay = new IncidentReplay(contexts, profile)) {
                replay.send(IncidentReplay.MESSAGES_PER_SECOND / 4);
                replay.awaitRepair();

                assertThat(replay.stalled.context.statistics().repair().naksSent())
                        .isZero();
                assertThat(replay.other.context.statistics().repair().naksSent())
                        .isZero();
            }
        }
        assertThat(contexts.errors).isEmpty();
    }
}
