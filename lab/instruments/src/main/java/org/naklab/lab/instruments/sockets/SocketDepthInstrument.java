package org.naklab.lab.instruments.sockets;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketPollTable;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Depth and drops of every UDP socket of a process, from the process's network namespace. Sockets that open after the watch began are found
 * within a refresh; those of the same group and port are told apart by inode.
 */
public final class SocketDepthInstrument implements Instrument, SocketPollTable.Owner {
    private final String process;
    private final SocketSource source;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final boolean isUnreadReported;
    private final List<SocketSummary> closed = new ArrayList<>();
    /** Never changed once published. */
    private volatile Map<MonitoredSocket, SocketSampler> probes = Map.of();

    private final SocketPollTable.FiguresConsumer judge = this::judge;
    private boolean ended;
    /** From when on a cut was asked for, and when the last one was made, ns. */
    private final AtomicLong wantedCutNs = new AtomicLong(Long.MIN_VALUE);

    private volatile long cutNs = Long.MIN_VALUE;
    /** Time of the current sample, ns. */
    private long nowNs;

    private SampleSink sink = SampleSink.NONE;

    SocketDepthInstrument(String process, SocketSource source, TimelineListener listener, NanoClock clock) {
        this(process, source, listener, clock, false);
    }

    private SocketDepthInstrument(
            String process, SocketSource source, TimelineListener listener, NanoClock clock, boolean isUnreadReported) {
        this.isUnreadReported = isUnreadReported;
        this.process = process;
        this.source = source;
        this.listener = listener;
        this.clock = clock;
        source.sample();
        adopt(clock.nanoTime(), true);
    }

    /**
     * Attaches to a process by the best way that works here.
     *
     * @param process name for events and series
     * @throws DetectException there is no way to see the process's sockets
     */
    public static SocketDepthInstrument attach(String process, long pid, TimelineListener listener, NanoClock clock) {
        return new SocketDepthInstrument(process, SocketSources.openBest(pid), listener, clock);
    }

    /**
     * Attaches in the same way, and also reports as {@link TimelineEventType#SOCKET_UNREAD} when a socket held datagrams and nobody received them.
     *
     * @param process name for events and series
     * @throws DetectException there is no way to see the process's sockets
     */
    public static SocketDepthInstrument attachToForeign(
            String process, long pid, TimelineListener listener, NanoClock clock) {
        return new SocketDepthInstrument(process, SocketSources.openBest(pid), listener, clock, true);
    }

    @Override
    public String title() {
        return "what looks for sockets";
    }

    @Override
    public String describe() {
        return "sockets of " + process + " by " + source.describe();
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        this.nowNs = nowNs;
        this.sink = sink;
        source.sample(nowNs, judge);
        long wantedNs = wantedCutNs.get();
        if (wantedNs > cutNs && nowNs >= wantedNs) {
            cut(nowNs);
        }
    }

    private void cut(long nowNs) {
        for (SocketSampler probe : probes.values()) {
            probe.cut(nowNs);
        }
        cutNs = nowNs;
    }

    /**
     * Has the next sample after a time report what has not been reported, and what goes on as lasting. What follows is reported by itself, so that
     * times before and after can be told apart. Any thread.
     *
     * @param timeNs CLOCK_MONOTONIC, ns
     */
    public void cutAfter(long timeNs) {
        wantedCutNs.accumulateAndGet(timeNs, Math::max);
    }

    /** Returns the time of the last sample with a cut, ns; the least value before the first. Any thread. */
    public long cutNs() {
        return cutNs;
    }

    /** Sockets that the sampler cannot look at by itself are sampled in each of its periods. */
    @Override
    public long periodNs() {
        return pollTable() == null ? MILLISECOND_NS : CALM_PERIOD_NS;
    }

    @Override
    public @Nullable SocketPollTable pollTable() {
        return source.pollTable();
    }

    @Override
    public void refresh(long nowNs) {
        boolean alive = source.refresh();
        adopt(nowNs, false);
        if (!alive && !ended) {
            ended = true;
            listener.onEvent(new HostEvent.Ended(nowNs, process, null));
        }
    }

    /** A socket that was closed may soon have a successor at its port. */
    @Override
    public boolean isRefreshDue() {
        for (MonitoredSocket socket : source.sockets()) {
            if (socket.isClosed()) {
                return true;
            }
        }
        return false;
    }

    /** Returns all sockets seen so far, closed ones first. Exact when sampling has stopped. */
    public synchronized List<SocketSummary> summaries() {
        List<SocketSummary> all = new ArrayList<>(closed);
        all.addAll(open());
        return all;
    }

    /** Returns the sockets that were open at the last refresh. Any thread. */
    public List<SocketSummary> open() {
        long nowNs = clock.nanoTime();
        return probes.values().stream().map(probe -> probe.summary(nowNs)).toList();
    }

    @Override
    public void close() {
        long nowNs = clock.nanoTime();
        for (SocketSampler probe : probes.values()) {
            probe.finish(nowNs);
        }
        source.close();
    }

    private void judge(long timeNs, MonitoredSocket socket) {
        SocketSampler probe = probes.get(socket);
        if (probe != null) {
            probe.evaluate(timeNs, nowNs, sink);
        }
    }

    /**
     * A socket that was there before counts drops from now on; one that opens under our eyes, from its beginning; one that is known and was bound,
     * or has another descriptor now, from where its figures stood.
     */
    private synchronized void adopt(long nowNs, boolean first) {
        Map<MonitoredSocket, SocketSampler> before = new HashMap<>(probes);
        Map<MonitoredSocket, SocketSampler> now = new LinkedHashMap<>();
        for (MonitoredSocket socket : source.sockets()) {
            SocketSampler probe = before.remove(socket);
            if (probe == null) {
                long baselineDrops = first ? socket.drops() : knownDrops(socket);
                UnreadDetector unread = isUnreadReported ? new UnreadDetector(nowNs) : null;
                probe = new SocketSampler(process, listener, socket, nowNs, baselineDrops, unread);
                probe.reportOpened(nowNs, first);
            }
            now.put(socket, probe);
        }
        probes = now;
        for (SocketSampler gone : before.values()) {
            gone.finish(nowNs);
            closed.add(gone.summary(nowNs));
            gone.reportClosed(nowNs);
        }
    }

    private long knownDrops(MonitoredSocket socket) {
        for (MonitoredSocket known : probes.keySet()) {
            if (known.identity().inode() == socket.identity().inode() && known.cookie() == socket.cookie()) {
                return known.drops();
            }
        }
        return 0;
    }
}
