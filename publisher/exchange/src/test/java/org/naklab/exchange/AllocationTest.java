package org.naklab.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.pacing.Schedule;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** Bytes that the feed thread allocates for each message once it is warm: none. */
@Timeout(120)
class AllocationTest {
    private static final int ROUNDS = 20;
    private static final int MESSAGES_PER_ROUND = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void shouldAllocateNothingPerMessage() {
        FeedSender sender = new FeedSender(new TakingPublication(), null, 1);
        SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(3, 50));
        FeedAgent agent = new FeedAgent(
                "feed",
                flow,
                new Schedule(Pacer.constantRate(1_000_000_000), 20_000_000),
                sender,
                new MockExchange.Context().limits(),
                System::nanoTime);
        agent.start();
        long fewestBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long bytesBefore = threads.getCurrentThreadAllocatedBytes();
            long end = sender.published() + MESSAGES_PER_ROUND;
            while (sender.published() < end) {
                agent.doWork();
            }
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - bytesBefore);
        }

        assertThat(fewestBytes).as("bytes in %s messages", MESSAGES_PER_ROUND).isZero();
    }

    @Test
    void shouldAllocateNothingPerMessageOverTheWire() {
        TopicChannels channels = TopicChannels.onLoopback(FreePorts.pair());
        MockExchange.Context context = new MockExchange.Context()
                .messagingContext(new MessagingContext.Context().name("frugal").channels(channels))
                .flow(new SyntheticFlow(new SyntheticFlow.Config(3, 50)))
                .pacer(Pacer.constantRate(20_000));
        try (Receiver receiver = new Receiver("receiver", channels);
                MockExchange exchange = MockExchange.launch(context)) {
            Await.until("connection", exchange::isConnected);
            exchange.start();
            long threadId = threadId("frugal-feed");
            long fewestBytes = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && fewestBytes > 0; round++) {
                long bytesBefore = threads.getThreadAllocatedBytes(threadId);
                long end = exchange.published() + 4_000;
                Await.until("messages", () -> exchange.published() >= end);
                fewestBytes = Math.min(fewestBytes, threads.getThreadAllocatedBytes(threadId) - bytesBefore);
            }
            assertThat(receiver.errors).isEmpty();
            assertThat(fewestBytes).as("bytes in 4,000 messages").isZero();
        }
    }

    private static long threadId(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .mapToLong(AllocationTest::idOf)
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("deprecation") // its successor came with JDK 19
    private static long idOf(Thread thread) {
        return thread.getId();
    }

    /** Takes all. */
    private static final class TakingPublication implements ContextPublication {
        @Override
        public SendResult offer(DirectBuffer buffer, int offset, int length) {
            return SendResult.SENT;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public long blockedSends() {
            return 0;
        }

        @Override
        public long wakeUps() {
            return 0;
        }

        @Override
        public int maxPayloadLength() {
            return 1376;
        }
    }
}
