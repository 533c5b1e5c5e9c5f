package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

@Timeout(180)
class PipelineAllocationTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(22_030);
    private static final int EVENTS = 100_000;

    /**
     * Aeron's poller iterates over a list in each duty cycle; the iterator goes when C2 has compiled the poller. How many messages that
     * takes depends on how many of them come by in a cycle, and on what else waits for C2: what ends the warm-up is therefore the
     * result, or this time. What allocates for each message would do so in the last round too.
     */
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(120);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    private long sent;

    @TempDir
    Path directory;

    @Test
    void shouldAllocateNothingForAMessageOnAnyOfTheThreads() {
        MarketDataService.Context context = new MarketDataService.Context()
                .name("allocation")
                .journalContext(new Journal.Context().directory(directory))
                .errorHandler(errors::add);
        context.messagingContext()
                .channels(CHANNELS)
                .profile(TransportProfile.AERON)
                .errorHandler(errors::add);
        try (TestFeed feed = new TestFeed(CHANNELS, TransportProfile.AERON);
                MarketDataService service = MarketDataService.launch(context)) {
            feed.awaitConnected();
            long beginNs = System.nanoTime();
            Map<String, Long> bytesPerMessage = allocationOfOneRound(feed, service);
            while (!isZero(bytesPerMessage) && System.nanoTime() - beginNs < WARM_UP_NS) {
                bytesPerMessage = allocationOfOneRound(feed, service);
            }
            assertThat(bytesPerMessage)
                    .containsOnlyKeys("allocation-business", "allocation-context", "allocation-journal")
                    .allSatisfy((thread, bytes) -> assertThat(bytes).as(thread).isZero());
        }
        assertThat(errors).isEmpty();
    }

    private static boolean isZero(Map<String, Long> bytesPerMessage) {
        return bytesPerMessage.values().stream().allMatch(bytes -> bytes == 0);
    }

    /** Whole bytes a message that each of the service's threads allocated. */
    private Map<String, Long> allocationOfOneRound(TestFeed feed, MarketDataService service) {
        Map<String, Long> before = allocatedBytes();
        feed.sendNext(EVENTS);
        sent += EVENTS;
        ServiceCounters counters = service.counters();
        Await.until("the events", () -> counters.received() == sent && counters.journaled() == sent);
        Map<String, Long> after = allocatedBytes();
        after.replaceAll((thread, bytes) -> (bytes - before.getOrDefault(thread, 0L)) / EVENTS);
        return after;
    }

    private Map<String, Long> allocatedBytes() {
        Map<String, Long> bytes = new TreeMap<>();
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("allocation-"))
                .forEach(thread ->
                        bytes.put(thread.getThreadName(), threads.getThreadAllocatedBytes(thread.getThreadId())));
        return bytes;
    }
}
