package org.naklab.lab.replica.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.feed.Side;
import org.naklab.messaging.guard.ArrivalOrder;
import org.naklab.subscriber.latency.ServiceLatency;

@Timeout(60)
final class LatenciesTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final CachedNanoClock clock = new CachedNanoClock();
    private final ServiceLatency latency = new ServiceLatency(clock, () -> 0, 0, new ArrivalOrder(clock));

    @Test
    void shouldRecordEachHopUnderItsName() {
        event(1_000, 1_001, 1_004, 1_008);
        journaled(1_000, 1_001, 1_004, 1_020);
        LatencyRecord figures = Latencies.figures(latency);

        assertHop(figures.dueToSent(), 1);
        assertHop(figures.sentToReceived(), 3);
        assertHop(figures.receivedToBook(), 4);
        assertHop(figures.dueToBook(), 8);
        assertHop(figures.receivedToJournaled(), 16);
        assertHop(figures.dueToJournaled(), 20);
        assertThat(figures.repair().count()).isZero();
        assertThat(figures.boundaryToSnapshot().count()).isZero();
    }

    @Test
    void shouldCountLateEventsByTheirLimits() {
        for (int ms : new int[] {0, 0, 2, 5, 20, 50, 70, 200}) {
            event(1_000, 1_000, 1_000, 1_000 + ms);
        }
        event(2_000, 2_000, 1_999, 2_001); // received before it was due

        LatencyRecord figures = Latencies.figures(latency);
        assertThat(figures.late()).isEqualTo(new LatencyRecord.Late(6, 4, 1));
        assertThat(figures.leftOut()).isEqualTo(1);
        assertThat(figures.dueToBook().count()).isEqualTo(8);
        assertThat(figures.share(figures.late().over10Ms())).isEqualTo(0.5);
    }

    @Test
    void shouldDrawTheCurvesOfASubscriber() {
        event(1_000, 1_000, 1_000, 1_002);
        event(1_001, 1_001, 1_001, 1_041);
        LatencyFile.Subscriber curves = Latencies.curves("gateway-1", latency);

        assertThat(curves.name()).isEqualTo("gateway-1");
        assertThat(curves.dueToJournaled()).as("a gateway has no journal").isEmpty();
        assertThat(curves.dueToBook())
                .isSortedAccordingTo((one, other) -> Double.compare(one.latencyUs(), other.latencyUs()));
        LatencyFile.Point last = curves.dueToBook().get(curves.dueToBook().size() - 1);
        assertThat(last.percentile()).isEqualTo(100);
        assertThat(last.latencyUs()).isCloseTo(40_000, within(400.0));
        assertThat(curves.intervalNs()).isPositive();
        assertThat(curves.intervals().stream()
                        .mapToInt(LatencyFile.Interval::count)
                        .sum())
                .isEqualTo(2);
    }

    private static void assertHop(LatencyRecord.Hop hop, double ms) {
        assertThat(hop.count()).isEqualTo(1);
        assertThat(hop.maxUs()).isCloseTo(ms * 1_000, within(ms * 10));
        assertThat(hop.p50Us()).isCloseTo(ms * 1_000, within(ms * 10));
    }

    private void event(long dueMs, long sentMs, long receivedMs, long doneMs) {
        clock.update(doneMs * MS);
        latency.book().onApplied(message(dueMs, sentMs), receivedMs * MS);
        latency.book().onBatchEnd();
    }

    private void journaled(long dueMs, long sentMs, long receivedMs, long doneMs) {
        clock.update(doneMs * MS);
        latency.journal().onAppended(message(dueMs, sentMs), receivedMs * MS);
        latency.journal().onBatchEnd();
    }

    private static UnsafeBuffer message(long dueMs, long sentMs) {
        OrderEvent event = new OrderEvent().set(EventType.ADD, 1, 0, 1, Side.BUY, 100_000, 10);
        event.sequence = 1;
        UnsafeBuffer message = new UnsafeBuffer(new byte[128]);
        int unused = new OrderEventCodec().encode(event, message, 0);
        EventTimes.put(message, 0, dueMs * MS, sentMs * MS);
        return message;
    }
}
