package org.naklab.lab.instruments.sockets;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
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

    /** Ends the observation when the socket closed or the watch ended: pending events are reported now. */
    void finish(long nowNs) {
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

    void report(long timeNs, TimelineEventType type, Map<String, Object> figures) {
        Map<String, Object> details = new HashMap<>(figures);
        details.put("inode", socket.identity().inode());
        details.put("local", socket.identity().endpoint());
        details.put("port", socket.identity().localPort());
        details.put("groups", String.join(",", socket.groups()));
        listener.onEvent(TimelineEvent.of(timeNs, type, process, details));
    }

    SocketSummary summary() {
        return new SocketSummary(
                socket.identity(),
                socket.groups(),
                maxDepthBytes,
                maxDepthNs,
                socket.depthBytes(),
                socket.limitBytes(),
                socket.drops() - baselineDrops,
                headroom.headroom(socket.limitBytes()),
                headroom.lastStall());
    }

    private void reportRise(long grownNs, long nowNs) {
        report(
                depthRule.beganNs(),
                TimelineEventType.SOCKET_DEPTH_RISE,
                Map.of(
                        "depthBytes",
                        socket.depthBytes(),
                        "limitBytes",
                        socket.limitBytes(),
                        "grownNs",
                        grownNs,
                        "detectedNs",
                        nowNs));
    }

    private void reportDrained(long nowNs) {
        Map<String, Object> details = new HashMap<>(Map.of(
                "beganNs", depthRule.beganNs(),
                "durationNs", nowNs - depthRule.beganNs(),
                "peakBytes", depthRule.peakBytes(),
                "peakNs", depthRule.peakNs(),
                "limitBytes", socket.limitBytes(),
                "drained", !depthRule.isRising()));
        Headroom now = headroom.headroom(socket.limitBytes());
        if (now.isKnown()) {
            details.put("headroomMs", now.headroomMs());
            details.put("longestStallMs", now.longestStallMs());
        }
        report(nowNs, TimelineEventType.SOCKET_DRAINED, details);
    }

    private void reportUnread(UnreadDetector unread, boolean isLasting) {
        report(
                unread.beganNs(),
                TimelineEventType.SOCKET_UNREAD,
                Map.of(
                        "durationNs", unread.endedNs() - unread.beganNs(),
                        "startBytes", unread.startBytes(),
                        "peakBytes", unread.peakBytes(),
                        "longestGapNs", unread.longestGapNs(),
                        "lasting", isLasting));
    }

    private void reportDrops(long dropped, long nowNs) {
        report(
                dropRule.sinceNs(),
                TimelineEventType.DATAGRAMS_DROPPED,
                Map.of(
                        "datagrams", dropped,
                        "total", socket.drops(),
                        "peakBytes", peakBytes,
                        "limitBytes", socket.limitBytes(),
                        "detectedNs", nowNs));
        peakBytes = socket.depthBytes();
    }
}
