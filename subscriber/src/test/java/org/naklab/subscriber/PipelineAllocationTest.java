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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.subscriber.latency.ServiceLatency;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(180)
class PipelineAllocationTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(FreePorts.pair());
    private static final int EVENTS = 100_000;
    private static final String CONTEXT_THREAD = "allocation-context";

    /**
     * Aeron's receiver and sender each iterate over a list of transports in every duty cycle. Whether C2 removes the two iterators is
     * decided anew in each JVM (JDK 25 keeps them more often than JDK 17), and they cost the same when no message arrives. They are
     * therefore measured while the feed is silent and subtracted, but never more than two objects of this size.
     */
    private static final long MAX_BYTES_PER_CYCLE = 2 * 32;

    private static final int IDLE_CYCLES = 500;

    /** Other allocations end when C2 has compiled the threads' loops: the result ends the warm-up, or this time. */
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(120);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final AtomicLong cycles = new AtomicLong();

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
                .dutyCycleListener(endNs -> cycles.incrementAndGet())
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
                    .containsOnlyKeys("allocation-business", CONTEXT_THREAD, "allocation-journal")
                    .allSatisfy((thread, bytes) -> assertThat(bytes).as(thread).isZero());
            ServiceLatency latency = service.latency();
            Await.until(
                    "the latencies of all events",
                    () -> latency.book().dueToBook().count() == sent
                            && latency.journal().dueToJournaled().count() == sent);
        }
        assertThat(errors).isEmpty();
    }

    private static boolean isZero(Map<String, Long> bytesPerMessage) {
        return bytesPerMessage.values().stream().allMatch(bytes -> bytes == 0);
    }

    /** Returns the whole bytes for each message that the service's threads allocated, without the cost of an empty duty cycle. */
    private Map<String, Long> allocationOfOneRound(TestFeed feed, MarketDataService service) {
        long bytesPerCycle = bytesPerIdleCycle();
        long firstCycle = cycles.get();
        Map<String, Long> before = allocatedBytes();
        feed.sendNext(EVENTS);
        sent += EVENTS;
        ServiceCounters counters = service.counters();
        Await.until("the events", () -> counters.received() == sent && counters.journaled() == sent);
        Map<String, Long> after = allocatedBytes();
        long bytesOfCycles = bytesPerCycle * (cycles.get() - firstCycle);
        after.replaceAll((thread, bytes) -> bytes - before.getOrDefault(thread, 0L));
        after.computeIfPresent(CONTEXT_THREAD, (thread, bytes) -> Math.max(0, bytes - bytesOfCycles));
        after.replaceAll((thread, bytes) -> bytes / EVENTS);
        return after;
    }

    private long bytesPerIdleCycle() {
        long firstCycle = cycles.get();
        long firstBytes = allocatedByContextThread();
        Await.until("idle duty cycles", () -> cycles.get() >= firstCycle + IDLE_CYCLES);
        long bytes = allocatedByContextThread() - firstBytes;
        return Math.min(MAX_BYTES_PER_CYCLE, bytes / (cycles.get() - firstCycle));
    }

    private long allocatedByContextThread() {
        return allocatedBytes().getOrDefault(CONTEXT_THREAD, 0L);
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
