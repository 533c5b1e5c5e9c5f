package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
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

    private static final long OWN_ID = ProcessHandle.current().pid();
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final String process;
    private final long pid;
    private final int port;
    private final Collection<Long> observed;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final LongUnaryOperator delivered;
    private final Set<Long> known = new HashSet<>();
    /** Sockets of other processes that came after the first reading, which took what is their own. */
    private final List<Newcomer> newcomers = new ArrayList<>();

    private final long beganNs;
    private boolean hasRead;
    private long lastNs;

    private record Row(boolean ipv6, String address, long inode) {}

    private static final class Newcomer {
        private final long inode;
        private final String owner;
        private long toldNs;
        private long told;

        Newcomer(long inode, String owner, long toldNs) {
            this.inode = inode;
            this.owner = owner;
            this.toldNs = toldNs;
        }
    }

    private PortSharingInstrument(
            String process,
            long pid,
            int port,
            Collection<Long> observed,
            LongUnaryOperator delivered,
            TimelineListener listener,
            NanoClock clock) {
        this.process = process;
        this.pid = pid;
        this.port = port;
        this.observed = List.copyOf(observed);
        this.listener = listener;
        this.clock = clock;
        this.delivered = delivered;
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
        return attach(process, pid, port, observed, inode -> 0, listener, clock);
    }

    /**
     * Attaches to the network namespace of a process, and reports what the sockets of other processes take from then on.
     *
     * @param delivered returns how many datagrams for the port a socket has got so far, by its inode; 0 if each socket has its own copy
     * @throws DetectException as above
     */
    public static PortSharingInstrument attach(
            String process,
            long pid,
            int port,
            Collection<Long> observed,
            LongUnaryOperator delivered,
            TimelineListener listener,
            NanoClock clock) {
        return new PortSharingInstrument(process, pid, port, observed, delivered, listener, clock);
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
            tellTaken();
        }
    }

    private void tellTaken() {
        for (Newcomer socket : newcomers) {
            long all = delivered.applyAsLong(socket.inode);
            if (all > socket.told) {
                listener.onEvent(new DatagramEvent.Taken(
                        new Interval(socket.toldNs, lastNs),
                        process,
                        port,
                        socket.inode,
                        socket.owner,
                        all - socket.told));
                socket.told = all;
            }
            socket.toldNs = lastNs;
        }
    }

    private void read() {
        Set<Row> rows = new HashSet<>();
        for (boolean ipv6 : new boolean[] {false, true}) {
            if (Files.isReadable(ProcNetUdpTable.pathOf(pid, ipv6))) {
                readTable(ipv6, rows);
            }
        }
        long formerNs = lastNs;
        lastNs = clock.nanoTime();
        rows.removeIf(row -> known.contains(row.inode()));
        if (!rows.isEmpty()) {
            Set<Long> rightful = rightful();
            rows.stream().filter(row -> !rightful.contains(row.inode())).forEach(row -> report(row, formerNs));
            rows.forEach(row -> known.add(row.inode()));
        }
        hasRead = true;
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
            Long2LongHashMap sockets = new ProcessSockets(each).descriptorsByInode();
            if (sockets != null) {
                inodes.addAll(sockets.keySet());
            }
        }
        return inodes;
    }

    /** @param absentNs when the socket was not there yet, ns */
    private void report(Row row, long absentNs) {
        String owner = ownerOf(row);
        if (hasRead) {
            newcomers.add(new Newcomer(row.inode(), owner, absentNs));
        }
        listener.onEvent(new DatagramEvent.PortShared(lastNs, process, port, row.address(), row.inode(), owner));
    }

    /**
     * Returns name and id of the process that has the socket; empty if it cannot be found. This process is asked last: it has a socket of
     * another one for the time of a reading.
     */
    private static String ownerOf(Row row) {
        String other = ownerOf(row, id -> id != OWN_ID);
        return other.isEmpty() ? ownerOf(row, id -> id == OWN_ID) : other;
    }

    private static String ownerOf(Row row, LongPredicate isAsked) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(ProcPaths.ROOT, "[0-9]*")) {
            for (Path directory : processes) {
                long id = Long.parseLong(directory.getFileName().toString());
                if (isAsked.test(id) && hasSocket(id, row.inode())) {
                    return Printable.of(
                                    Files.readString(directory.resolve("comm")).strip()) + " (process " + id + ")";
                }
            }
            return "";
        } catch (IOException processGone) {
            return "";
        }
    }

    private static boolean hasSocket(long id, long inode) {
        try {
            Long2LongHashMap sockets = new ProcessSockets(id).descriptorsByInode();
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
        lastNs = clock.nanoTime();
        tellTaken();
        listener.onEvent(new DatagramEvent.PlaceObserved(observed(), process, PLACE, null, null));
    }
}
