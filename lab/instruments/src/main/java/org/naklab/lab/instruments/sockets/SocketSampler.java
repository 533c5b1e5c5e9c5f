package org.naklab.lab.instruments.sockets;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.series.HeadroomMeter;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.CounterDetector;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** A socket of {@link SocketDepthInstrument}: its series and its detectors. */
final class SocketSampler {
    private static final long DROP_REPORT_INTERVAL_NS = 100 * Instrument.MILLISECOND_NS;

    private final String process;
    private final TimelineListener listener;
    private final MonitoredSocket socket;
    private final Series depth;
    private final Series limit;
    private final Series txDepth;
    private final Series drops;
    private final SocketDepthDetector depthRule;
    private final @Nullable UnreadDetector unreadRule;
    private final CounterDetector dropRule;
    private final HeadroomMeter headroom;
    private final long baselineDrops;
    private long maxDepthBytes;
    private long maxDepthNs;
    /** Since the last report of drops. */
    private long peakBytes;
    /** Between two samples between which it dropped, since the last report of drops. */
    private long longestGapNs;

    private long lastNs;
    private long lastDrops;
    private volatile long endedNs = Long.MAX_VALUE;

    /**
     * @param baselineDrops drops that are no news
     * @param unreadRule {@code null}: whether somebody receives does not matter
     */
    SocketSampler(
            String process,
            TimelineListener listener,
            MonitoredSocket socket,
            long nowNs,
            long baselineDrops,
            @Nullable UnreadDetector unreadRule) {
        this.process = process;
        this.listener = listener;
        this.socket = socket;
        this.baselineDrops = baselineDrops;
        this.unreadRule = unreadRule;
        lastNs = nowNs;
        lastDrops = baselineDrops;
        SocketIdentity identity = socket.identity();
        String subject = identity.endpoint() + "#" + identity.inode();
        depth = new Series(new SeriesName(SeriesSource.SOCKET, process, subject, "depthBytes"));
        limit = new Series(new SeriesName(SeriesSource.SOCKET, process, subject, "limitBytes"));
        txDepth = new Series(new SeriesName(SeriesSource.SOCKET, process, subject, "txDepthBytes"));
        drops = new Series(new SeriesName(SeriesSource.SOCKET, process, subject, "drops"));
        depthRule = new SocketDepthDetector(nowNs, baselineDrops);
        dropRule = new CounterDetector(DROP_REPORT_INTERVAL_NS, baselineDrops);
        headroom = new HeadroomMeter(nowNs, socket.depthBytes(), baselineDrops);
    }

    /**
     * Records and judges the socket's figures.
     *
     * @param timeNs when they were so; never before that of the last call
     * @param nowNs when they are judged
     */
    void evaluate(long timeNs, long nowNs, SampleSink sink) {
        if (socket.takeChanged()) {
            sink.record(depth, timeNs, socket.depthBytes());
            sink.record(limit, timeNs, socket.limitBytes());
            sink.record(txDepth, timeNs, socket.txDepthBytes());
            sink.record(drops, timeNs, socket.drops());
            if (socket.depthBytes() > maxDepthBytes) {
                maxDepthBytes = socket.depthBytes();
                maxDepthNs = timeNs;
            }
        }
        peakBytes = Math.max(peakBytes, socket.depthBytes());
        if (socket.drops() > lastDrops) {
            longestGapNs = Math.max(longestGapNs, timeNs - lastNs);
        }
        lastNs = timeNs;
        lastDrops = socket.drops();
        headroom.update(timeNs, socket.depthBytes(), socket.limitBytes(), socket.drops());
        SocketDepthDetector.Signal signal =
                depthRule.update(timeNs, socket.depthBytes(), socket.limitBytes(), socket.drops());
        if (signal == SocketDepthDetector.Signal.RISE) {
            reportRise(timeNs, nowNs);
        } else if (signal == SocketDepthDetector.Signal.DRAINED) {
            reportDrained(timeNs);
        }
        if (unreadRule != null && unreadRule.update(timeNs, socket.depthBytes())) {
            reportUnread(unreadRule, false);
        }
        long dropped = dropRule.update(timeNs, socket.drops());
        if (dropped > 0) {
            reportDrops(dropped, nowNs);
        }
    }

    /** Reports what has not been reported yet, and as lasting what goes on; what follows is reported by itself. On the sampler's thread. */
    void cut(long nowNs) {
        long dropped = dropRule.take();
        if (dropped > 0) {
            reportDrops(dropped, nowNs);
        }
        if (unreadRule != null && unreadRule.cut(nowNs)) {
            reportUnread(unreadRule, true);
        }
    }

    /** Ends the observation when the socket closed or the watch ended: pending events are reported now. */
    void finish(long nowNs) {
        endedNs = nowNs;
        headroom.finish();
        if (dropRule.unreported() > 0) {
            reportDrops(dropRule.unreported(), nowNs);
        }
        if (depthRule.isRising()) {
            reportDrained(nowNs);
        }
        if (unreadRule != null && unreadRule.finish()) {
            reportUnread(unreadRule, true);
        }
    }

    void reportOpened(long nowNs, boolean isBefore) {
        listener.onEvent(new SocketEvent.Opened(nowNs, process, told(), isBefore));
    }

    void reportClosed(long nowNs) {
        listener.onEvent(new SocketEvent.Closed(nowNs, process, told()));
    }

    private SocketEvent.Socket told() {
        SocketIdentity identity = socket.identity();
        return new SocketEvent.Socket(
                identity.inode(), identity.endpoint(), identity.localPort(), String.join(",", socket.groups()));
    }

    /** Returns the figures of now, or of the end. Any thread. */
    SocketSummary summary(long nowNs) {
        long untilNs = Math.min(nowNs, endedNs);
        return new SocketSummary(
                socket.identity(),
                socket.groups(),
                new SocketSummary.Depths(maxDepthBytes, maxDepthNs, socket.depthBytes(), socket.limitBytes()),
                socket.drops() - baselineDrops,
                headroom.headroom(socket.limitBytes(), untilNs),
                headroom.lastStall(),
                headroom.longestLatelyNs(untilNs));
    }

    private void reportRise(long grownNs, long nowNs) {
        listener.onEvent(new SocketEvent.DepthRise(
                depthRule.beganNs(), process, told(), socket.depthBytes(), socket.limitBytes(), grownNs, nowNs));
    }

    private void reportDrained(long nowNs) {
        Headroom now = headroom.headroom(socket.limitBytes(), nowNs);
        listener.onEvent(new SocketEvent.Drained(
                nowNs,
                process,
                told(),
                depthRule.beganNs(),
                nowNs - depthRule.beganNs(),
                new SocketEvent.Depth(depthRule.peakBytes(), depthRule.peakNs(), socket.limitBytes()),
                !depthRule.isRising(),
                now.isKnown() ? new SocketEvent.Survival(now.headroomMs(), now.longestStallMs()) : null));
    }

    private void reportUnread(UnreadDetector unread, boolean isLasting) {
        listener.onEvent(new SocketEvent.Unread(
                new Interval(unread.beganNs(), unread.endedNs()),
                process,
                told(),
                unread.startBytes(),
                unread.peakBytes(),
                unread.longestGapNs(),
                isLasting));
    }

    private void reportDrops(long dropped, long nowNs) {
        listener.onEvent(new SocketEvent.Dropped(
                dropRule.sinceNs(),
                process,
                told(),
                dropped,
                socket.drops(),
                nowNs,
                new SocketEvent.Fill(peakBytes, socket.limitBytes(), longestGapNs)));
        peakBytes = socket.depthBytes();
        longestGapNs = 0;
    }
}
