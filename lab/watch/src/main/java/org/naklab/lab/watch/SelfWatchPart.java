package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.instruments.series.SeriesMaxima;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.IncidentRecorder;

/**
 * The time of one test within a {@link SelfWatch}, which goes on. The window around the first rise, drop or NAK is recorded. One thread, beside that of the
 * instruments.
 */
public final class SelfWatchPart implements AutoCloseable {
    private final SelfWatch watch;
    private final String title;
    private final IncidentRecorder recorder;
    private final SeriesMaxima maxima = new SeriesMaxima();
    private final Blindness blindness;
    private final long beganNs;
    /** By inode, the sockets that were seen before. */
    private final Map<Long, SocketSummary> before = new HashMap<>();

    private final Set<Long> closedBefore = new HashSet<>();
    private volatile long endedNs = Long.MAX_VALUE;

    SelfWatchPart(SelfWatch watch, String title, IncidentRecorder recorder, long beganNs) {
        this.watch = watch;
        this.title = title;
        this.recorder = recorder;
        this.beganNs = beganNs;
        blindness = new Blindness(timeNs -> Format.seconds(timeNs - beganNs) + " of the test");
        maxima.countFrom(beganNs);
        recorder.armFrom(beganNs);
        watch.instruments().sockets().forEach(socket -> before.put(inodeOf(socket), socket));
        closedBefore.addAll(before.keySet());
        watch.instruments().openSockets().forEach(socket -> closedBefore.remove(inodeOf(socket)));
    }

    private static long inodeOf(SocketSummary socket) {
        return socket.identity().inode();
    }

    /** Returns when the test began, CLOCK_MONOTONIC, ns. */
    long beganNs() {
        return beganNs;
    }

    void onSample(long timeNs, Series series, long value) {
        recorder.onSample(timeNs, series, value);
        if (timeNs - endedNs <= 0) {
            maxima.onSample(timeNs, series, value);
        }
    }

    void onEvent(TimelineEvent event) {
        recorder.onEvent(event);
    }

    void onProgress(long nowNs) {
        recorder.onProgress(nowNs);
        look(nowNs);
    }

    private void look(long nowNs) {
        Map<String, Long> behind = watch.instruments().behind(nowNs);
        synchronized (blindness) {
            blindness.take(behind, nowNs);
        }
    }

    /**
     * Ends the test and diagnoses it; returns when all that was seen in it has been told: within a third of a second if nothing stood still, and otherwise after some
     * seconds. If a window was recorded, writes {@code run.json} and {@code diagnosis.json} beside it. What happens later does not count.
     *
     * @throws DetectException an instrument failed, or the documents cannot be written
     */
    public WatchFindings end() {
        Interval counted = new Interval(beganNs, watch.clock().nanoTime());
        endedNs = counted.endNs();
        boolean isTold = watch.awaitTold(counted);
        look(watch.clock().nanoTime());
        if (isTold) {
            recorder.finish(counted.endNs());
        }
        close();
        watch.requireWhole();
        List<SocketSummary> sockets = sockets();
        WatchFindings findings = findings(counted, sockets, isTold);
        for (IncidentRecorder.Window window : recorder.windows()) {
            watch.instruments().write(title, window, sockets, findings).ifPresent(reason -> {
                throw new DetectException(reason);
            });
        }
        return findings;
    }

    private WatchFindings findings(Interval counted, List<SocketSummary> sockets, boolean isTold) {
        List<TimelineEvent> events = new ArrayList<>(watch.events(counted));
        events.addAll(watch.instruments().observedUntil(watch.clock().nanoTime()));
        List<String> blind = new ArrayList<>(watch.blind(events));
        synchronized (blindness) {
            blind.addAll(blindness.lines(counted));
        }
        if (!isTold) {
            blind.add("the instruments have not told all that they have seen");
        }
        return WatchFindings.of(
                String.valueOf(ProcessHandle.current().pid()), counted, events, sockets, maxima.values(), blind);
    }

    /** Returns the sockets that were open in the test, with what they lost in it. */
    private List<SocketSummary> sockets() {
        return watch.instruments().sockets().stream()
                .filter(socket -> !closedBefore.contains(inodeOf(socket)))
                .map(this::ofTheTest)
                .toList();
    }

    private SocketSummary ofTheTest(SocketSummary now) {
        SocketSummary then = before.get(inodeOf(now));
        if (then == null) {
            return now;
        }
        SocketSummary.Depths depths = now.depths();
        boolean isDeepest = depths.maxDepthNs() - beganNs >= 0;
        return new SocketSummary(
                now.identity(),
                now.groups(),
                isDeepest
                        ? depths
                        : new SocketSummary.Depths(
                                depths.depthBytes(), beganNs, depths.depthBytes(), depths.limitBytes()),
                now.drops() - then.drops(),
                now.headroom(),
                now.lastStall(),
                now.longestLatelyNs());
    }

    /** Ends the test without findings. The watch goes on. */
    @Override
    public void close() {
        watch.remove(this);
    }
}
