package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import io.aeron.status.ChannelEndpointStatus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Looks whether a driver receives without the kernel's sockets, as one with ef_vi, DPDK or VMA does: its counters have a receive channel, but the process has no UDP socket
 * on the channel's port. Depth and drops of such a channel cannot be seen.
 */
public final class KernelBypassInstrument implements Instrument {
    private static final String CHANNEL_LABEL = "rcv-channel: ";
    private static final String ADDRESS_LABEL = "rcv-local-sockaddr";

    private final String process;
    private final CncFile cnc;
    private final Supplier<Set<Integer>> kernelPorts;
    private final TimelineListener listener;
    private volatile Map<String, Integer> channels;
    private List<String> blind = List.of();
    private boolean isReported;

    private KernelBypassInstrument(
            String process, CncFile cnc, Supplier<Set<Integer>> kernelPorts, TimelineListener listener) {
        this.process = process;
        this.cnc = cnc;
        this.kernelPorts = kernelPorts;
        this.listener = listener;
        channels = channels(cnc.counters());
    }

    /**
     * Attaches to a driver.
     *
     * @param process name for events
     * @param kernelPorts local ports of the driver's UDP sockets, as the kernel has them
     * @throws org.naklab.lab.core.timeline.DetectException no driver runs in the directory
     */
    public static KernelBypassInstrument attach(
            String process, Path aeronDirectory, Supplier<Set<Integer>> kernelPorts, TimelineListener listener) {
        return new KernelBypassInstrument(process, CncFile.map(aeronDirectory), kernelPorts, listener);
    }

    @Override
    public String describe() {
        return "whether the receive channels of " + process + " have sockets of the kernel";
    }

    /** Returns what is missing, each one line: channels that were there when this was attached and have no socket. To be called once, with sockets looked up since. */
    public List<String> missing() {
        blind = without(channels, kernelPorts.get());
        isReported = !blind.isEmpty();
        return blind.isEmpty() ? List.of() : List.of(sentence());
    }

    /** Returns the local ports of the driver's receive channels. Any thread. */
    public Set<Integer> receivePorts() {
        return Set.copyOf(channels.values());
    }

    private String sentence() {
        return "kernel sockets are blind here: the driver receives " + String.join(", ", blind)
                + " without a UDP socket of the kernel (kernel bypass); what is seen of it are the driver's counters: NAKs, losses and positions";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    /** A channel is older than the list of sockets if it was there at the last look. */
    @Override
    public void refresh(long nowNs) {
        Map<String, Integer> before = channels;
        cnc.update();
        channels = channels(cnc.counters());
        Map<String, Integer> lasting = new HashMap<>(channels);
        lasting.keySet().retainAll(before.keySet());
        blind = without(lasting, kernelPorts.get());
        if (!blind.isEmpty() && !isReported) {
            isReported = true;
            listener.onEvent(new HostEvent.Blind(nowNs, process, "", "sockets of " + process, sentence()));
        }
    }

    /** Returns the channels whose port is not among those of the kernel. */
    private static List<String> without(Map<String, Integer> channels, Set<Integer> kernelPorts) {
        return channels.entrySet().stream()
                .filter(channel -> !kernelPorts.contains(channel.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the local ports of the active receive channels. */
    private static Map<String, Integer> channels(CountersReader counters) {
        Map<Integer, String> active = new HashMap<>();
        Map<Integer, Integer> ports = new HashMap<>();
        counters.forEach((counterId, typeId, key, label) -> {
            if (typeId == AeronCounters.DRIVER_RECEIVE_CHANNEL_STATUS_TYPE_ID
                    && counters.getCounterValue(counterId) == ChannelEndpointStatus.ACTIVE) {
                active.put(
                        counterId, label.startsWith(CHANNEL_LABEL) ? label.substring(CHANNEL_LABEL.length()) : label);
            } else if (typeId == AeronCounters.DRIVER_LOCAL_SOCKET_ADDRESS_STATUS_TYPE_ID
                    && label.startsWith(ADDRESS_LABEL)) {
                String address = key.getStringAscii(Integer.BYTES);
                int colon = address.lastIndexOf(':');
                if (colon >= 0) {
                    ports.put(key.getInt(0), Integer.parseInt(address.substring(colon + 1)));
                }
            }
        });
        Map<String, Integer> channels = new TreeMap<>();
        active.forEach((counterId, channel) -> {
            Integer port = ports.get(counterId);
            if (port != null) {
                channels.put(channel, Objects.requireNonNull(port));
            }
        });
        return channels;
    }

    @Override
    public void close() {
        cnc.close();
    }
}
