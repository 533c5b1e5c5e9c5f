package org.naklab.lab.instruments.sockets;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sampling.SocketSample;

/**
 * Reads the namespace's tables of UDP sockets, {@code /proc/PID/net/udp} and {@code udp6}. Works everywhere and needs no rights
 * over the sockets, only over {@code /proc/PID/fd}; but the cost grows with every socket of the namespace, and the receive buffer's limit
 * is not in the table.
 */
final class ProcNetSocketSource implements SocketSource, ProcNetUdpTable.RowHandler {
    private final ProcessSockets processSockets;
    private final ProcNetUdpTable[] sampled;
    private final ProcNetUdpTable[] searched;
    private volatile View view = new View(List.of());

    /** The index of the sampling thread; immutable once published. */
    private static final class View {
        private final MonitoredSocket[] sockets;
        private final Long2ObjectHashMap<MonitoredSocket> byInode = new Long2ObjectHashMap<>();
        private final IntHashSet ports = new IntHashSet();
        private final boolean anyIpv4;
        private final boolean anyIpv6;

        View(List<MonitoredSocket> list) {
            sockets = list.toArray(NO_SOCKETS);
            for (MonitoredSocket socket : list) {
                byInode.put(socket.identity().inode(), socket);
                ports.add(socket.identity().localPort());
            }
            anyIpv6 = list.stream().anyMatch(socket -> socket.identity().ipv6());
            anyIpv4 = list.stream().anyMatch(socket -> !socket.identity().ipv6());
        }
    }

    private ProcNetSocketSource(long pid) {
        processSockets = new ProcessSockets(pid);
        sampled = new ProcNetUdpTable[] {ProcNetUdpTable.open(pid, false), ProcNetUdpTable.open(pid, true)};
        searched = new ProcNetUdpTable[] {ProcNetUdpTable.open(pid, false), ProcNetUdpTable.open(pid, true)};
    }

    /**
     * Attaches to a process.
     *
     * @throws DetectException the process is gone, or its descriptors may not be seen
     */
    static ProcNetSocketSource open(long pid) {
        ProcNetSocketSource source = new ProcNetSocketSource(pid);
        source.refresh();
        return source;
    }

    @Override
    public String describe() {
        return "/proc/net/udp and udp6: table of the whole namespace; receive buffer's limit not visible";
    }

    @Override
    public void sample() {
        View current = view;
        for (ProcNetUdpTable table : sampled) {
            if (table.ipv6() ? current.anyIpv6 : current.anyIpv4) {
                table.read(this);
            }
        }
    }

    @Override
    public boolean wants(int localPort) {
        return view.ports.contains(localPort);
    }

    @Override
    public void onRow(
            UnsafeBuffer text, int addressOffset, int localPort, long txBytes, long rxBytes, long inode, long drops) {
        MonitoredSocket socket = view.byInode.get(inode);
        if (socket != null) {
            socket.update(rxBytes, SocketSample.UNKNOWN, txBytes, drops);
        }
    }

    @Override
    public boolean refresh() {
        Long2LongHashMap open = processSockets.descriptorsByInode();
        View before = view;
        List<MonitoredSocket> now = new ArrayList<>();
        if (open != null && !open.isEmpty()) {
            for (ProcNetUdpTable table : searched) {
                table.read((text, offset, port, tx, rx, inode, drops) -> {
                    if (open.containsKey(inode)) {
                        now.add(known(before, inode, port, table.ipv6(), text, offset));
                    }
                });
            }
        }
        view = new View(now);
        return open != null;
    }

    private static MonitoredSocket known(
            View before, long inode, int port, boolean ipv6, UnsafeBuffer text, int offset) {
        @Nullable MonitoredSocket socket = before.byInode.get(inode);
        return socket != null && socket.identity().localPort() == port
                ? socket
                : new MonitoredSocket(new SocketIdentity(inode, ipv6, HexAddress.decode(text, offset, ipv6), port));
    }

    @Override
    public MonitoredSocket[] sockets() {
        return view.sockets;
    }

    @Override
    public void close() {
        for (int i = 0; i < sampled.length; i++) {
            sampled[i].close();
            searched[i].close();
        }
    }
}
