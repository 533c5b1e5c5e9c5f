package org.naklab.lab.cli.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.kernel.counters.UdpCounters;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.Watch;

/**
 * The metrics of watched processes: what the sockets look like now, and what has been counted since the watch began. A label is the name of the
 * process, a multicast group, a reason or a cause; never an inode, a port or a process id, which would make a new time series of each restart.
 *
 * <p>Any thread.
 */
public final class WatchMetrics implements TimelineListener {
    /** Cause of a stall that no diagnosis has judged. */
    public static final String UNDIAGNOSED = "undiagnosed";

    private static final String PROCESS = "process";
    private static final String GROUP = "group";
    private static final double NS_PER_SECOND = 1e9;

    private final String process;
    private final Set<String> groups = new LinkedHashSet<>();
    private final Counter stalls;
    private final Counter stallSeconds;
    private final Counter naks;
    private volatile @Nullable Watch watch;
    private volatile long pid;
    private volatile boolean isDiagnosed;
    private Map<String, Long> losses = Map.of();

    private WatchMetrics(String process, PrometheusRegistry registry) {
        this.process = process;
        stalls = Counter.builder()
                .name("naklab_stalls")
                .help("Stalls of the receiver: times in which a socket was not read and its depth rose.")
                .labelNames(PROCESS, "cause")
                .register(registry);
        stallSeconds = Counter.builder()
                .name("naklab_stall_seconds")
                .unit(Unit.SECONDS)
                .help("Length of the stalls, from the first unread datagram until the buffer was empty again.")
                .labelNames(PROCESS, "cause")
                .register(registry);
        naks = Counter.builder()
                .name("naklab_naks_sent")
                .help("NAKs that the Aeron media driver of the process has sent.")
                .labelNames(PROCESS)
                .register(registry);
        naks.labelValues(process);
    }

    /**
     * Registers the metrics of a process.
     *
     * @param process value of the label {@code process}
     */
    public static WatchMetrics register(String process, PrometheusRegistry registry) {
        WatchMetrics metrics = new WatchMetrics(process, registry);
        metrics.registerGauges(registry);
        metrics.registerDrops(registry);
        metrics.registerSampler(registry);
        return metrics;
    }

    /** Reads the sockets of a watch from now on; those of an earlier watch, as of a process that was restarted, are forgotten. */
    public void observe(Watch observed, long observedPid) {
        pid = observedPid;
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
        if (event.type() == TimelineEventType.NAK_SENT) {
            naks.labelValues(process).inc(event.longDetail("naks", 0));
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
        stallSeconds.labelValues(process, cause).inc(durationNs / NS_PER_SECOND);
        stalls.labelValues(process, cause).inc();
    }

    private void registerGauges(PrometheusRegistry registry) {
        gauge(
                registry,
                "naklab_receive_buffer_depth_bytes",
                "Receive memory that waits to be read, as the kernel counts it; of the deepest socket.",
                SocketGroup::depthBytes);
        gauge(
                registry,
                "naklab_receive_buffer_limit_bytes",
                "Limit of that memory (SO_RCVBUF as the kernel has it); of the socket with the least.",
                SocketGroup::limitBytes);
        gauge(
                registry,
                "naklab_receive_buffer_arrival_bytes_per_second",
                "Arrival rate seen while the reader took nothing, in bytes of receive memory per second.",
                SocketGroup::arrivalBytesPerSecond);
        gauge(
                registry,
                "naklab_receive_buffer_headroom_seconds",
                "Time that an empty buffer survives at that rate; of the socket with the least.",
                SocketGroup::headroomSeconds);
        gauge(
                registry,
                "naklab_longest_stall_seconds",
                "Longest time so far in which the reader took nothing while datagrams arrived.",
                SocketGroup::longestStallSeconds);
    }

    private void gauge(
            PrometheusRegistry registry, String name, String help, Function<SocketGroup, OptionalDouble> figure) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(PROCESS, GROUP)
                .callback(callback -> sockets().forEach(group -> figure.apply(group)
                        .ifPresent(value -> callback.call(value, process, group.label()))))
                .register(registry);
    }

    private void registerDrops(PrometheusRegistry registry) {
        CounterWithCallback.builder()
                .name("naklab_socket_dropped_datagrams")
                .help("Datagrams that the kernel dropped at the sockets of the process, for whatever reason.")
                .labelNames(PROCESS, GROUP)
                .callback(callback -> sockets().forEach(group -> callback.call(group.drops(), process, group.label())))
                .register(registry);
        CounterWithCallback.builder()
                .name("naklab_namespace_lost_datagrams")
                .help("Datagrams that the network namespace of the process lost since it exists, whatever their port.")
                .labelNames(PROCESS, "reason")
                .callback(callback -> losses().forEach((reason, lost) -> callback.call((double) lost, process, reason)))
                .register(registry);
    }

    private void registerSampler(PrometheusRegistry registry) {
        CounterWithCallback.builder()
                .name("naklab_watch_missed_samples")
                .help("Samples that the watch could not take in time: figures of these times are missing.")
                .labelNames(PROCESS)
                .callback(callback -> {
                    Watch observed = watch;
                    if (observed != null) {
                        callback.call((double) observed.statistics().missedTicks(), process);
                    }
                })
                .register(registry);
    }

    private synchronized List<SocketGroup> sockets() {
        Watch observed = watch;
        List<SocketSummary> sockets = observed == null ? List.of() : observed.sockets();
        return SocketGroup.of(sockets, groups);
    }

    /** Reads the counters; those of a process that is gone keep their last values. */
    private synchronized Map<String, Long> losses() {
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
        byReason.put("receive-buffer-full", counters.rcvbufErrors());
        byReason.put("bad-checksum", counters.csumErrors());
        byReason.put("udp-memory-limit", counters.memErrors());
        byReason.put("no-socket", counters.noPorts());
        byReason.put("reassembly-failed", counters.reassemblyFailures());
        byReason.put("ip-discarded", counters.ipDiscards());
        byReason.put("reverse-path-filter", counters.reversePathFiltered());
        return byReason;
    }
}
