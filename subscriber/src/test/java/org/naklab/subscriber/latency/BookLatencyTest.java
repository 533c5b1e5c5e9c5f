package org.naklab.subscriber.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

@Timeout(60)
class BookLatencyTest {
    private static final long MICRO_NS = 1_000;
    private static final long MILLI_NS = 1_000_000;
    private static final int EVENTS_PER_MS = 5;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[128]);
    private final OrderEventCodec codec = new OrderEventCodec();
    private final List<Long> begins = new ArrayList<>();
    private long nowNs = 1_000 * MILLI_NS;
    private BookLatency latency = new BookLatency(() -> nowNs, 0, begins::add);

    @Test
    void shouldMeasureEachHop() {
        long dueNs = nowNs;
        nowNs += 100 * MICRO_NS;
        apply(dueNs, dueNs + 10 * MICRO_NS, dueNs + 30 * MICRO_NS);
        latency.onBatchEnd();

        assertThat(latency.dueToSent().maxNs()).isBetween(10_000L, 10_010L);
        assertThat(latency.sentToReceived().maxNs()).isBetween(20_000L, 20_020L);
        assertThat(latency.receivedToBook().maxNs()).isBetween(70_000L, 70_070L);
        assertThat(latency.dueToBook().maxNs()).isBetween(100_000L, 100_100L);
        assertThat(begins).containsExactly(dueNs);
    }

    @Test
    void shouldCountEveryEventThatWasDueDuringAStallOfItsSender() {
        // 150 ms in which nothing is sent, then everything at once: by the times of sending, all of it is on time.
        int late = 150 * EVENTS_PER_MS;
        for (int i = 0; i < 10 * late; i++) {
            long dueNs = 1_000 * MILLI_NS + i * MILLI_NS / EVENTS_PER_MS;
            boolean isStalled = i >= late && i < 2 * late;
            long sentNs = isStalled ? 1_000 * MILLI_NS + 2L * late * MILLI_NS / EVENTS_PER_MS : dueNs;
            nowNs = sentNs + 20 * MICRO_NS;
            apply(dueNs, sentNs, nowNs);
            latency.onBatchEnd();
        }

        assertThat(latency.dueToBook().countAbove(MILLI_NS)).isBetween(149L * EVENTS_PER_MS, 150L * EVENTS_PER_MS);
        assertThat(latency.dueToBook().countAbove(100 * MILLI_NS)).isBetween(49L * EVENTS_PER_MS, 51L * EVENTS_PER_MS);
        assertThat(latency.dueToBook().valueNs(99.9)).isBetween(145 * MILLI_NS, 151 * MILLI_NS);
        assertThat(latency.sentToReceived().maxNs()).isLessThan(MILLI_NS);
        List<LatencySeries.Entry> entries = new ArrayList<>();
        latency.series().forEach(entries::add);
        assertThat(entries.stream().mapToLong(LatencySeries.Entry::maxNs).max())
                .hasValue(150 * MILLI_NS + 20 * MICRO_NS);
    }

    @Test
    void shouldLeaveOutTheWarmUpAndEventsWithoutTimes() {
        latency = new BookLatency(() -> nowNs, 10 * MILLI_NS, begins::add);
        long beginNs = nowNs;
        nowNs += 20 * MILLI_NS;
        apply(EventTimes.UNKNOWN, EventTimes.UNKNOWN, nowNs);
        apply(beginNs, beginNs, nowNs);
        apply(beginNs + 10 * MILLI_NS - 1, nowNs, nowNs);
        apply(beginNs + 10 * MILLI_NS, nowNs, nowNs);
        apply(nowNs + 1, nowNs + 1, nowNs);
        apply(Long.MIN_VALUE + 1, nowNs, nowNs);
        latency.onBatchEnd();

        assertThat(latency.dueToBook().count()).isEqualTo(1);
        assertThat(latency.leftOut())
                .as("due after its receipt, or hours before")
                .isEqualTo(2);
        assertThat(begins).containsExactly(beginNs + 10 * MILLI_NS);
    }

    @Test
    void shouldKeepWhatComesBetweenTwoReadingsOfTheClock() {
        int events = 3 * EventBatch.CAPACITY + 1;
        for (int i = 0; i < events; i++) {
            apply(nowNs, nowNs, nowNs);
            nowNs += MICRO_NS;
        }
        assertThat(latency.dueToBook().count()).isEqualTo(events - 1);
        latency.onBatchEnd();
        latency.onBatchEnd();
        assertThat(latency.dueToBook().count()).isEqualTo(events);
        assertThat(latency.dueToBook().maxNs()).isBetween(15 * MICRO_NS, 16 * MICRO_NS);
    }

    @Test
    void shouldNotTakeAnAppendThatFailedForDone() {
        JournalLatency journal = new JournalLatency(() -> nowNs, 0);
        encode(nowNs, nowNs);
        journal.onAppended(message, nowNs);
        journal.discard();
        journal.onBatchEnd();
        assertThat(journal.dueToJournaled().count()).isZero();
        journal.onAppended(message, nowNs);
        journal.onBatchEnd();
        assertThat(journal.dueToJournaled().count()).isEqualTo(1);
        assertThat(journal.receivedToJournaled().count()).isEqualTo(1);
    }

    private void apply(long dueNs, long sentNs, long receivedNs) {
        encode(dueNs, sentNs);
        latency.onApplied(message, receivedNs);
    }

    private void encode(long dueNs, long sentNs) {
        OrderEvent event = new OrderEvent();
        event.sequence = 1;
        codec.encode(event, message, 0);
        if (dueNs != EventTimes.UNKNOWN) {
            EventTimes.put(message, 0, dueNs, sentNs);
        }
    }
}
