package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.TestSockets;
import org.naklab.testing.events.Samples;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class PortSharingInstrumentTest {
    private static final String GROUP = "239.192.77.10";
    private static final long SELF = ProcessHandle.current().pid();

    private final EventLog events = new EventLog();
    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final int port = FreePorts.pair();

    @Test
    void shouldReportASocketOfAnotherProcessOnce() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            PortSharingInstrument instrument = attach(List.of());
            sockets.member(GROUP, port);
            instrument.refresh(0);
            assertThat(events.all()).isEmpty();
            for (int i = 0; i < 2; i++) {
                nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                instrument.refresh(0);
            }
            assertThat(events.all()).singleElement().satisfies(event -> {
                assertThat(event.type()).isEqualTo(TimelineEventType.PORT_SHARED);
                assertThat(event.textDetail("owner")).endsWith("(process " + SELF + ")");
                assertThat(event.longDetail("port", 0)).isEqualTo(port);
            });
        }
    }

    /** A socket that was there before takes what is its own; of a newcomer, what it got since the last time is told. */
    @Test
    void shouldTellWhatANewSocketOfAnotherProcessTakes() throws IOException {
        AtomicLong delivered = new AtomicLong();
        try (TestSockets sockets = new TestSockets()) {
            sockets.member(GROUP, port);
            nowNs.set(0);
            PortSharingInstrument instrument = PortSharingInstrument.attach(
                    "mds", SELF, port, List.of(), inode -> delivered.get(), events, nowNs::get);
            refreshAt(1, instrument, delivered, 50);
            assertThat(events.of(TimelineEventType.DATAGRAMS_TAKEN))
                    .as("of the first")
                    .isEmpty();
            sockets.member(GROUP, port);
            refreshAt(2, instrument, delivered, 4);
            refreshAt(3, instrument, delivered, 30);
            refreshAt(4, instrument, delivered, 30);
            nowNs.set(TimeUnit.SECONDS.toNanos(5));
            delivered.set(37);
            instrument.close();
        }
        assertThat(events.of(TimelineEventType.DATAGRAMS_TAKEN))
                .allSatisfy(event -> assertThat(event.textDetail("owner")).endsWith("(process " + SELF + ")"))
                .extracting(event -> event.longDetail("count", 0), event -> event.timeNs(), event -> event.interval()
                        .lengthNs())
                .containsExactly(
                        tuple(4L, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(1)),
                        tuple(26L, TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(1)),
                        tuple(7L, TimeUnit.SECONDS.toNanos(4), TimeUnit.SECONDS.toNanos(1)));
    }

    private void refreshAt(long second, PortSharingInstrument instrument, AtomicLong delivered, long count) {
        nowNs.set(TimeUnit.SECONDS.toNanos(second));
        delivered.set(count);
        instrument.refresh(0);
    }

    @Test
    void shouldNotReportTheSocketsOfTheObservedProcesses() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            sockets.member(GROUP, port);
            PortSharingInstrument instrument = attach(List.of(SELF));
            nowNs.set(5_000);
            instrument.close();
        }
        assertThat(events.all())
                .containsExactly(TimelineEvent.of(
                        1_000,
                        TimelineEventType.PLACE_OBSERVED,
                        "mds",
                        Samples.whole(
                                TimelineEventType.PLACE_OBSERVED.form(),
                                Map.of("place", PortSharingInstrument.PLACE, "durationNs", 4_000L))));
    }

    @Test
    void shouldKnowTheOwnerOfAPort() throws IOException {
        try (TestSockets sockets = new TestSockets()) {
            PortOwners owners = new PortOwners(Map.of(SELF, "lab"), nowNs::get);
            assertThat(owners.ownerOf(port)).isEmpty();
            sockets.member(GROUP, port);
            assertThat(owners.ownerOf(port)).isEmpty();
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(owners.ownerOf(port)).isEqualTo("lab");
        }
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(owners().ownerOf(port)).isEmpty();
    }

    private PortOwners owners() {
        return new PortOwners(Map.of((long) Integer.MAX_VALUE, "gone"), nowNs::get);
    }

    private PortSharingInstrument attach(List<Long> observed) {
        return PortSharingInstrument.attach("mds", SELF, port, observed, events, nowNs::get);
    }
}
