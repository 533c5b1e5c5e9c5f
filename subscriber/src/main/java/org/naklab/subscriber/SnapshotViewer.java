package org.naklab.subscriber;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.messaging.feed.SnapshotMessages;
import org.naklab.subscriber.latency.SnapshotLatency;

/** The market data viewer: counts the snapshots of each second and tells whole series from others. On the context thread. */
final class SnapshotViewer implements ControlledFragmentHandler {
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderBookSnapshotDecoder snapshot = new OrderBookSnapshotDecoder();
    private final SnapshotListener listener;
    private final ServiceCounters counters;
    private final SnapshotLatency latency;
    private final SnapshotCheck check;
    private boolean isInSeries;
    private long secondNs;
    private int received;

    SnapshotViewer(SnapshotListener listener, ServiceCounters counters, SnapshotLatency latency, SnapshotCheck check) {
        this.listener = listener;
        this.counters = counters;
        this.latency = latency;
        this.check = check;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header aeronHeader) {
        switch (SnapshotMessages.kind(buffer, offset, length)) {
            case SNAPSHOT -> {
                snapshot.wrapAndApplyHeader(buffer, offset, header);
                latency.onSnapshot(snapshot.secondNs());
                count();
                check.onSnapshot(buffer, offset, length);
                listener.onSnapshot(snapshot);
            }
            case OTHER -> counters.ignored.lazySet(counters.ignored.getPlain() + 1);
            case MALFORMED -> counters.rejected.lazySet(counters.rejected.getPlain() + 1);
        }
        return Action.CONTINUE;
    }

    private void count() {
        counters.snapshotsReceived.lazySet(counters.snapshotsReceived.getPlain() + 1);
        if (!isInSeries || snapshot.secondNs() != secondNs) {
            if (isInSeries) {
                counters.seriesIncomplete.lazySet(counters.seriesIncomplete.getPlain() + 1);
            }
            isInSeries = true;
            secondNs = snapshot.secondNs();
            received = 0;
        }
        received++;
        if (received == snapshot.seriesLength()) {
            isInSeries = false;
            counters.seriesComplete.lazySet(counters.seriesComplete.getPlain() + 1);
        }
    }
}
