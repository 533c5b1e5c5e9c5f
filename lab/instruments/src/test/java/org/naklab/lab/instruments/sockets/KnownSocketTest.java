package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.series.SampleSink;

/** A socket that is bound while it is watched, or gets another descriptor, is still the same socket: its drops are counted once. */
@Timeout(20)
final class KnownSocketTest {
    private static final long MS = 1_000_000;
    private static final long LIMIT = 212_992;
    private static final long INODE = 4711;
    private static final long COOKIE = 17;

    private final EventLog events = new EventLog();
    private MonitoredSocket[] seen = {socket(INODE, 3, COOKIE, 10_000)};
    private final SocketDepthInstrument instrument =
            new SocketDepthInstrument("receiver", new SeenSockets(), events, new CachedNanoClock());

    @Test
    void shouldNotReportDropsFromBeforeTheWatchUnderAnotherDescriptor() {
        sampleAt(1);
        see(socket(INODE, 9, COOKIE, 10_000));
        sampleAt(3);

        assertThat(events.of(TimelineEventType.DATAGRAMS_DROPPED)).isEmpty();
        assertThat(drops()).isZero();
    }

    @Test
    void shouldCountEachDropOnceUnderAnotherDescriptor() {
        seen[0].update(0, LIMIT, 0, 10_005);
        sampleAt(1);
        see(socket(INODE, 9, COOKIE, 10_007));
        sampleAt(3);

        assertThat(drops()).isEqualTo(7);
    }

    @Test
    void shouldCountAllDropsOfANewSocket() {
        sampleAt(1);
        see(socket(INODE, 3, COOKIE + 1, 40));
        sampleAt(3);

        assertThat(drops()).isEqualTo(40);
        assertThat(events.of(TimelineEventType.DATAGRAMS_DROPPED)).hasSize(1);
    }

    private void see(MonitoredSocket socket) {
        seen = new MonitoredSocket[] {socket};
        instrument.refresh(2 * MS);
    }

    private void sampleAt(int ms) {
        instrument.sample(ms * MS, SampleSink.NONE);
    }

    private long drops() {
        return instrument.summaries().stream().mapToLong(SocketSummary::drops).sum();
    }

    private static MonitoredSocket socket(long inode, int descriptor, long cookie, long drops) {
        SocketIdentity identity = new SocketIdentity(inode, false, "127.0.0.1", 9_000);
        MonitoredSocket socket = new MonitoredSocket(identity, descriptor, cookie);
        socket.update(0, LIMIT, 0, drops);
        return socket;
    }

    /** Shows what the test says is there. */
    private final class SeenSockets implements SocketSource {
        @Override
        public String describe() {
            return "sockets of a test";
        }

        @Override
        public void sample() {
            // The figures are set by the test.
        }

        @Override
        public boolean refresh() {
            return true;
        }

        @Override
        public MonitoredSocket[] sockets() {
            return seen;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
