package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** Loss on the way in, over real loopback multicast. */
@Timeout(60)
class RepairTest {
    private static final long SEED = 42;

    private final Contexts contexts = new Contexts(FreePorts.pair());

    @Test
    void shouldRepairSeededLossInOrder(@TempDir Path directory) throws IOException {
        LossyLinks links = LossyLinks.random(SEED, 0.05);
        try (Sender sender = new Sender(lbtrm("sender").mtuBytes(Topic.ORDER_BOOK_EVENTS, 96));
                Receiver lossy = new Receiver(lbtrm("lossy").receiveLinks(links), Receiver.NEVER);
                Receiver healthy = new Receiver(lbtrm("healthy"), Receiver.NEVER)) {
            sender.awaitReceivers(lossy, healthy);
            sender.send(600);
            Await.until(() -> lossy.count() == 600 && healthy.count() == 600);

            assertThat(lossy.numbers()).isEqualTo(zeroTo(600));
            assertThat(healthy.numbers()).isEqualTo(zeroTo(600));
            assertThat(links.dropped).as("seed " + SEED).hasPositiveValue();
            assertThat(lossy.context.statistics().repair().naksSent()).isPositive();
            assertThat(lossy.context.statistics().order().overtakenDatagrams())
                    .as("what was sent again came in behind later datagrams")
                    .isPositive();
            assertThat(healthy.context.statistics().order().overtakenDatagrams())
                    .isZero();
            assertThat(healthy.context.statistics().order().repeatedDatagrams())
                    .as("what was sent again for the other receiver")
                    .isPositive();
            assertThat(sender.context.statistics().repair().naksReceived()).isPositive();
            assertThat(sender.context.statistics().repair().retransmitsSent()).isPositive();
            assertThat(sender.context.statistics().repair().retransmittedBytes())
                    .isPositive();
            assertThat(lossy.context.lossEntries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.loss().bytesLost()).isPositive())
                    .satisfies(entry ->
                            assertThat(entry.stream().streamId()).isEqualTo(Topic.ORDER_BOOK_EVENTS.streamId()));
            Path copy = directory.resolve("loss-report.dat");
            lossy.context.copyLossReport(copy);
            assertThat(copy).isNotEmptyFile();
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldLetALateSubscriberJoinWhereTheFeedIs() {
        try (Sender sender = new Sender(lbtrm("sender"));
                Receiver early = new Receiver(lbtrm("early"), Receiver.NEVER)) {
            sender.awaitReceivers(early);
            sender.send(100);
            Await.until(() -> early.count() == 100);
            try (Receiver late = new Receiver(lbtrm("late"), Receiver.NEVER)) {
                sendUntilHeard(sender, late);
                sender.send(100);
                int sent = early.count() + 1;
                sender.send(1);
                Await.until(() -> early.count() >= sent && late.numbers().contains((long) early.count() - 1));

                List<Long> heard = late.numbers();
                assertThat(heard.get(0)).isGreaterThanOrEqualTo(100);
                assertThat(heard)
                        .isEqualTo(LongStream.range(heard.get(0), heard.get(0) + heard.size())
                                .boxed()
                                .toList());
            }
        }
        assertThat(contexts.errors).isEmpty();
    }

    @Test
    void shouldReadStatisticsAfterClose() {
        Sender sender = new Sender(lbtrm("sender"));
        try (sender;
                Receiver receiver = new Receiver(lbtrm("receiver"), Receiver.NEVER)) {
            sender.awaitReceivers(receiver);
            sender.send(10);
            Await.until(() -> receiver.count() == 10);
        }
        assertThat(sender.context.statistics().bytes().bytesSent()).isPositive();
        assertThat(sender.context.statistics().errors()).isZero();
        assertThat(sender.context.lossEntries()).isEmpty();
    }

    private MessagingContext.Context lbtrm(String name) {
        return contexts.named(name, TransportProfile.LBTRM).seed(SEED);
    }

    private static void sendUntilHeard(Sender sender, Receiver late) {
        Await.until(() -> {
            sender.offer();
            return late.count() > 0;
        });
    }

    private static List<Long> zeroTo(int end) {
        return LongStream.range(0, end).boxed().toList();
    }
}
