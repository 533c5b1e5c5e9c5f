package org.naklab.lab.watch.metrics;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.instruments.kernel.counters.UdpCounters;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.Watch;

/**
 * The figures of a watched process, and of those of its name that are started after it: what the sockets look like now, and what has been counted since the watch began.
 *
 * <p>Any thread.
 */
public final class WatchMetrics implements TimelineListener {
    /** Cause of a stall that no diagnosis has judged. */
    public static final String UNDIAGNOSED = "undiagnosed";

    private final String process;
    private final Set<String> groups = new LinkedHashSet<>();
    private final MetricFamilies families;
    private volatile @Nullable Watch watch;
    private volatile long pid;
    private volatile boolean isDiagnosed;
    private volatile boolean isOver;
    /** The counters of a driver are or were read. */
    private volatile boolean hasDriver;

    private final LongAdder naks = new LongAdder();
    private Map<String, Long> losses = Map.of();

    WatchMetrics(String process, MetricFamilies families) {
        this.process = process;
        this.families = families;
    }

    /** Returns the value of the label {@code process}. */
    String process() {
        return process;
    }

    /** Returns whether its process has ended: the next of that name continues its series. */
    boolean isOver() {
        return isOver;
    }

    /** Lets the next process of that name continue the series. */
    public void end() {
        isOver = true;
    }

    void resume() {
        isOver = false;
    }

    /**
     * Reads the sockets of a watch from now on; those of an earlier watch, as of a process that was restarted, are forgotten. The stalls of each cause are 0 from now
     * on: a series that begins with its first stall would hide it from {@code increase()}.
     */
    public void observe(Watch observed, long observedPid) {
        pid = observedPid;
        Stream<String> causes = isDiagnosed ? Stream.of(Cause.values()).map(Cause::label) : Stream.of(UNDIAGNOSED);
        causes.forEach(cause -> {
            families.stallSeconds().labelValues(process, cause);
            families.stalls().labelValues(process, cause);
        });
        watch = observed;
    }

    /** Returns a listener that counts each event and passes it on. */
    public TimelineListener before(TimelineListener next) {
        return event -> {
            onEvent(event);
            next.onEvent(event);
        };
    }

    /** Counts NAKs, and as long as nobody reports diagnosed stalls, the rises of the sockets' depth as stalls. */
    @Override
    public void onEvent(TimelineEvent event) {
        if (event instanceof StreamEvent.NakSent sent) {
            hasDriver = true;
            naks.add(sent.naks());
        } else if (event.type() == TimelineEventType.SOCKET_DRAINED && !isDiagnosed) {
            count(UNDIAGNOSED, event.durationNs());
        }
    }

    /** Counts no rise of a socket's depth as a stall from now on: diagnosed stalls will be reported. */
    public void leaveStallsToDiagnosis() {
        isDiagnosed = true;
    }

    /**
     * Counts a stall that was diagnosed. From the first one on, rises of a socket's depth are no longer counted as stalls.
     *
     * @param cause a label of the diagnosis
     */
    public void onStall(String cause, long durationNs) {
        isDiagnosed = true;
        count(cause, durationNs);
    }

    private void count(String cause, long durationNs) {
        // A scrape in between must not find a stall without a length.
        families.stallSeconds().labelValues(process, cause).inc(durationNs / Units.NS_PER_S);
        families.stalls().labelValues(process, cause).inc();
    }

    synchronized List<SocketGroup> sockets() {
        Watch observed = watch;
        List<SocketSummary> sockets = observed == null ? List.of() : observed.sockets();
        return SocketGroup.of(sockets, groups);
    }

    /** Returns the NAKs that the media driver has sent; empty as long as no driver is observed. */
    OptionalLong naks() {
        Watch observed = watch;
        if (observed != null && observed.hasDriver()) {
            hasDriver = true;
        }
        return hasDriver ? OptionalLong.of(naks.sum()) : OptionalLong.empty();
    }

    /** Returns the number of samples that were not taken in time; empty before anything is watched. */
    OptionalLong missedSamples() {
        Watch observed = watch;
        return observed == null
                ? OptionalLong.empty()
                : OptionalLong.of(observed.statistics().missedTicks());
    }

    /** Reads the counters; those of a process that is gone keep their last values. */
    synchronized Map<String, Long> losses() {
        if (watch != null) {
            try {
                losses = losses(UdpCounters.ofProcess(pid));
            } catch (DetectException theProcessIsGone) {
                return losses;
            }
        }
        return losses;
    }

    private static Map<String, Long> losses(UdpCounters counters) {
        Map<String, Long> byReason = new LinkedHashMap<>();
        byReason.put("receive-buffer-full", counters.udp().rcvbufErrors());
        byReason.put("bad-checksum", counters.udp().csumErrors());
        byReason.put("udp-memory-limit", counters.udp().memErrors());
        byReason.put("no-socket", counters.udp().noPorts());
        byReason.put("reassembly-failed", counters.ip().reassemblyFailures());
        byReason.put("ip-discarded", counters.ip().ipDiscards());
        byReason.put("reverse-path-filter", counters.ip().reversePathFiltered());
        return byReason;
    }
}
