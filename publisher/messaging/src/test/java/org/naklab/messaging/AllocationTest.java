package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(120)
class AllocationTest {
    private static final int MESSAGES = 50_000;
    /** Not per message: reading the figures, and what the driver does once in a while. */
    private static final long MOST_BYTES = MESSAGES / 10;

    /** Allocations that the compiler removes end when it has compiled the threads' loops: the result ends the warm-up, or this time. */
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(45);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Contexts contexts = new Contexts(FreePorts.pair());
    private final AtomicLong received = new AtomicLong();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Sender.MESSAGE_LENGTH]);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAllocateNothingPerMessage(boolean isRateLimited) {
        // The limit is hit in most intervals, and still lets a message through every few microseconds.
        RateLimit limit = isRateLimited ? new RateLimit(100_000_000, TimeUnit.MILLISECONDS.toNanos(5)) : null;
        try (MessagingContext sender = MessagingContext.launch(contexts.named("sender", TransportProfile.LBTRM));
                MessagingContext receiver =
                        MessagingContext.launch(contexts.named("receiver", TransportProfile.LBTRM))) {
            ContextPublication publication = sender.addPublication(Topic.ORDER_BOOK_EVENTS, limit);
            receiver.addSubscription(Topic.ORDER_BOOK_EVENTS, (buffer, offset, length, header) -> {
                received.lazySet(received.get() + 1);
                return ControlledFragmentHandler.Action.CONTINUE;
            });
            sender.start();
            receiver.start();
            Await.until(publication::isConnected);
            long[] threads = {Thread.currentThread().getId(), id("sender-context"), id("receiver-context")};

            long beginNs = System.nanoTime();
            List<Long> allocated = allocationOfOneRound(publication, threads);
            while (!isLittle(allocated) && System.nanoTime() - beginNs < WARM_UP_NS) {
                allocated = allocationOfOneRound(publication, threads);
            }
            assertThat(allocated)
                    .as("bytes of the application, the sender, and the receiver for %d messages", MESSAGES)
                    .allMatch(bytes -> bytes < MOST_BYTES);
        }
        assertThat(contexts.errors).isEmpty();
    }

    private static boolean isLittle(List<Long> allocated) {
        return allocated.stream().allMatch(bytes -> bytes < MOST_BYTES);
    }

    private List<Long> allocationOfOneRound(ContextPublication publication, long[] threads) {
        long[] before = THREADS.getThreadAllocatedBytes(threads);
        sendAndReceive(publication);
        long[] after = THREADS.getThreadAllocatedBytes(threads);
        return IntStream.range(0, threads.length)
                .mapToObj(i -> after[i] - before[i])
                .toList();
    }

    private void sendAndReceive(ContextPublication publication) {
        long end = received.get() + MESSAGES;
        int sent = 0;
        long heard = received.get();
        while (received.get() < end) {
            // At most a socketful under way, so that nothing is lost and sent again.
            if (sent < MESSAGES && sent - (received.get() - heard) < 200) {
                if (publication.offer(message, 0, Sender.MESSAGE_LENGTH).accepted()) {
                    sent++;
                }
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private static long id(String threadName) {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(info -> info != null && threadName.equals(info.getThreadName()))
                .findFirst()
                .orElseThrow()
                .getThreadId();
    }
}
