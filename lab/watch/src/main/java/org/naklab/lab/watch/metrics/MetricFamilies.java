package org.naklab.lab.watch.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The metrics of all processes of a watch. A label is the name of the process, a multicast group, a reason or a cause; never an inode, a port or a process id, which would
 * make a new time series of each restart. Of processes of one name that are watched at once, each has series of its own.
 *
 * <p>Any thread.
 */
public final class MetricFamilies {
    private static final String PROCESS = "process";
    private static final String GROUP = "group";

    private final List<WatchMetrics> processes = new CopyOnWriteArrayList<>();
    private final Counter stalls;
    private final Counter stallSeconds;

    /** Registers the metrics. */
    public MetricFamilies(PrometheusRegistry registry) {
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
        count(
                registry,
                "naklab_naks_sent",
                "NAKs that the Aeron media driver of the process has sent; absent without a driver.",
                WatchMetrics::naks);
        registerGauges(registry);
        registerDrops(registry);
        count(
                registry,
                "naklab_watch_missed_samples",
                "Samples that the watch could not take in time: figures of these times are missing.",
                WatchMetrics::missedSamples);
    }

    /**
     * Returns the metrics of a process that is watched from now on: those of one of its name that has ended, or else new ones.
     *
     * @param name of the process
     */
    public synchronized WatchMetrics process(String name) {
        for (int number = 1; ; number++) {
            String label = number == 1 ? name : name + " (" + number + ")";
            Optional<WatchMetrics> known = processes.stream()
                    .filter(metrics -> metrics.process().equals(label))
                    .findFirst();
            if (known.isEmpty()) {
                WatchMetrics metrics = new WatchMetrics(label, this);
                processes.add(metrics);
                return metrics;
            }
            if (known.get().isOver()) {
                known.get().resume();
                return known.get();
            }
        }
    }

    Counter stalls() {
        return stalls;
    }

    Counter stallSeconds() {
        return stallSeconds;
    }

    private void each(BiConsumer<String, List<SocketGroup>> consumer) {
        processes.forEach(metrics -> consumer.accept(metrics.process(), metrics.sockets()));
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
                "naklab_longest_unread_seconds",
                "Longest time so far, from 5 ms on, in which the reader took nothing while datagrams arrived.",
                SocketGroup::longestStallSeconds);
        gauge(
                registry,
                "naklab_longest_stall_seconds",
                "The same as naklab_longest_unread_seconds, by its old name.",
                SocketGroup::longestStallSeconds);
        gauge(
                registry,
                "naklab_recent_unread_seconds",
                "Longest such time of the last one to two minutes; 0 if there was none.",
                SocketGroup::longestLatelySeconds);
    }

    private void gauge(
            PrometheusRegistry registry, String name, String help, Function<SocketGroup, OptionalDouble> figure) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(PROCESS, GROUP)
                .callback(callback -> each((process, sockets) -> sockets.forEach(
                        group -> figure.apply(group).ifPresent(value -> callback.call(value, process, group.label())))))
                .register(registry);
    }

    private void registerDrops(PrometheusRegistry registry) {
        CounterWithCallback.builder()
                .name("naklab_socket_dropped_datagrams")
                .help("Datagrams that the kernel dropped at the sockets of the process, for whatever reason.")
                .labelNames(PROCESS, GROUP)
                .callback(callback -> each((process, sockets) ->
                        sockets.forEach(group -> callback.call(group.drops(), process, group.label()))))
                .register(registry);
        CounterWithCallback.builder()
                .name("naklab_namespace_lost_datagrams")
                .help("Datagrams that the network namespace of the process lost since it exists, whatever their port.")
                .labelNames(PROCESS, "reason")
                .callback(callback -> processes.forEach(metrics -> metrics.losses()
                        .forEach((reason, lost) -> callback.call((double) lost, metrics.process(), reason))))
                .register(registry);
    }

    private void count(
            PrometheusRegistry registry, String name, String help, Function<WatchMetrics, OptionalLong> figure) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(PROCESS)
                .callback(callback -> processes.forEach(metrics ->
                        figure.apply(metrics).ifPresent(value -> callback.call((double) value, metrics.process()))))
                .register(registry);
    }
}
