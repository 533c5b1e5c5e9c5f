package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports sockets of other processes that are bound to the port of the feed, in the network namespace of a process. Each of them has its own copy of a multicast
 * datagram; one for the host's own address goes to one of them only. A socket that is open for less than a second may be missed.
 */
public final class PortSharingInstrument implements Instrument {
    /** The word for what was looked at, in {@link TimelineEventType#PLACE_OBSERVED}. */
    public static final String PLACE = "other sockets of the port";

    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final String process;
    private final long pid;
    private final int port;
    private final Collection<Long> observed;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final Set<Long> known = new HashSet<>();
    private final long beganNs;
    private long lastNs;

    private record Row(boolean ipv6, String address, long inode) {}

    private PortSharingInstrument(
            String process, long pid, int port, Collection<Long> observed, TimelineListener listener, NanoClock clock) {
        this.process = process;
        this.pid = pid;
        this.port = port;
        this.observed = List.copyOf(observed);
        this.listener = listener;
        this.clock = clock;
        beganNs = clock.nanoTime();
        lastNs = beganNs;
        read();
    }

    /**
     * Attaches to the network namespace of a process.
     *
     * @param process name on the timeline
     * @param port of the feed
     * @param observed ids of the processes that have such sockets rightly
     * @throws DetectException the sockets of the process may not be seen
     */
    public static PortSharingInstrument attach(
            String process, long pid, int port, Collection<Long> observed, TimelineListener listener, NanoClock clock) {
        return new PortSharingInstrument(process, pid, port, observed, listener, clock);
    }

    @Override
    public String describe() {
        return "sockets of other processes at port " + port + " in the network namespace of " + process
                + " (/proc/PID/net, every second)";
    }

    /** Does nothing: reading the table takes too long for the sampler. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    @Override
    public void refresh(long nowNs) {
        if (clock.nanoTime() - lastNs >= PERIOD_NS && Files.exists(ProcNetUdpTable.pathOf(pid, false))) {
            read();
        }
    }

    private void read() {
        Set<Row> rows = new HashSet<>();
        for (boolean ipv6 : new boolean[] {false, true}) {
            if (Files.isReadable(ProcNetUdpTable.pathOf(pid, ipv6))) {
                readTable(ipv6, rows);
            }
        }
        lastNs = clock.nanoTime();
        rows.removeIf(row -> known.contains(row.inode()));
        if (!rows.isEmpty()) {
            Set<Long> rightful = rightful();
            rows.stream().filter(row -> !rightful.contains(row.inode())).forEach(this::report);
            rows.forEach(row -> known.add(row.inode()));
        }
    }

    private void readTable(boolean ipv6, Set<Row> rows) {
        try (ProcNetUdpTable table = ProcNetUdpTable.open(pid, ipv6)) {
            table.read((text, addressOffset, localPort, txBytes, rxBytes, inode, drops) -> {
                if (localPort == port) {
                    rows.add(new Row(ipv6, HexAddress.decode(text, addressOffset, ipv6), inode));
                }
            });
        }
    }

    private Set<Long> rightful() {
        Set<Long> inodes = new HashSet<>();
        for (long each : observed) {
            Long2LongHashMap sockets = new ProcessSockets(each).descriptorsByInode(descriptor -> false);
            if (sockets != null) {
                inodes.addAll(sockets.keySet());
            }
        }
        return inodes;
    }

    private void report(Row row) {
        Map<String, Object> details = new TreeMap<>(
                Map.of("port", (long) port, "address", row.address(), "inode", row.inode(), "owner", ownerOf(row)));
        listener.onEvent(TimelineEvent.of(lastNs, TimelineEventType.PORT_SHARED, process, details));
    }

    /** Returns name and id of the process that has the socket; empty if it cannot be found. */
    private static String ownerOf(Row row) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path directory : processes) {
                long id = Long.parseLong(directory.getFileName().toString());
                if (hasSocket(id, row.inode())) {
                    return Files.readString(directory.resolve("comm")).strip() + " (process " + id + ")";
                }
            }
            return "";
        } catch (IOException processGone) {
            return "";
        }
    }

    private static boolean hasSocket(long id, long inode) {
        try {
            Long2LongHashMap sockets = new ProcessSockets(id).descriptorsByInode(descriptor -> false);
            return sockets != null && sockets.containsKey(inode);
        } catch (DetectException mayNotBeSeen) {
            return false;
        }
    }

    /** Returns the time for which the sockets of the port are known. */
    public Interval observed() {
        return new Interval(beganNs, clock.nanoTime());
    }

    @Override
    public void close() {
        listener.onEvent(TimelineEvent.of(
                beganNs,
                TimelineEventType.PLACE_OBSERVED,
                process,
                Map.of("place", PLACE, "durationNs", observed().lengthNs())));
    }
}
