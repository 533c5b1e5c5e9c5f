package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.publication.DatagramSink;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** What a receiver whose context thread stands still does to the sender, by profile. */
@Timeout(60)
class StalledReceiverTest {
    private static final int BEFORE_STALL = 100;
    /** More than Aeron's window of 128 KiB holds, and more than the socket does. */
    private static final int MESSAGES = 4_000;

    private static final int WIRE_BYTES = DatagramSink.wireBytes(Sender.MESSAGE_LENGTH);

    private final Contexts contexts = new Contexts(FreePorts.pair());

    @Test
    void shouldNotSlowAnLbtrmSenderAndRepairAll() throws InterruptedException {
        try (Sender sender = new Sender(small("sender", TransportProfile.LBTRM));
                Receiver stalled = new Receiver(small("stalled", TransportProfile.LBTRM), BEFORE_STALL)) {
            sender.awaitReceivers(stalled);
            sender.send(BEFORE_STALL + 1);
            stalled.isStalled.await();

            sender.send(MESSAGES);
            Await.until(() -> sender.context.statistics().bytes().bytesSent() > (long) MESSAGES * WIRE_BYTES);
            assertThat(stalled.count()).isEqualTo(BEFORE_STALL + 1);
            assertThat(sender.context.statistics().limits().senderLimits()).isZero();

            stalled.resume();
            Await.until(() -> stalled.count() == BEFORE_STALL + 1 + MESSAGES);
            assertThat(stalled.numbers()).isEqualTo(zeroTo(BEFORE_STALL + 1 + MESSAGES));
            assertThat(stalled.context.statistics().repair().naksSent()).isPositive();
            assertThat(sender.context.statistics().repair().retransmittedBytes())
                    .isPositive();
            assertThat(stalled.context.statistics().limits().receiverOverruns()).isZero();
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldStopAnAeronSenderAtTheWindow() throws InterruptedException {
        try (Sender sender = new Sender(small("sender", TransportProfile.AERON).termBytes(256 * 1024));
                Receiver stalled = new Receiver(small("stalled", TransportProfile.AERON), BEFORE_STALL)) {
            sender.awaitReceivers(stalled);
            sender.send(BEFORE_STALL + 1);
            stalled.isStalled.await();

            int accepted = sendUntilBackPressured(sender);

            assertThat(accepted).isLessThan(MESSAGES);
            assertThat(sender.context.statistics().limits().senderLimits()).isPositive();
            stalled.resume();
            Await.until(() -> stalled.count() == BEFORE_STALL + 1 + accepted);
            assertThat(stalled.numbers()).isEqualTo(zeroTo(BEFORE_STALL + 1 + accepted));
        }
        assertThat(contexts.errors).isEmpty();
    }

    private static int sendUntilBackPressured(Sender sender) {
        int accepted = 0;
        while (accepted < MESSAGES) {
            if (sender.offer().accepted()) {
                accepted++;
            } else if (sender.context.statistics().limits().senderLimits() > 0) {
                return accepted;
            }
        }
        return accepted;
    }

    /** One message a datagram, and a socket that a few hundred of them fill. */
    private MessagingContext.Context small(String name, TransportProfile profile) {
        return contexts.named(name, profile)
                .receiveBufferBytes(Contexts.SMALL_BUFFER_BYTES)
                .retransmitBitsPerSecond(20_000_000)
                .mtuBytes(Topic.ORDER_BOOK_EVENTS, WIRE_BYTES);
    }

    private static List<Long> zeroTo(int end) {
        return LongStream.range(0, end).boxed().toList();
    }
}
