package org.naklab.lab.instruments.sockets;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NetworkNamespace;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;

/**
 * Asks the kernel by netlink {@code sock_diag} for the sockets on the process's ports. The process's sockets are left alone; the
 * kernel walks its whole hash table for each answer, but prints nothing for sockets on other ports.
 */
final class NetlinkSocketSource implements SocketSource, SocketDiag.AnswerHandler {
    private static final int[] FAMILIES = {Libc.AF_INET, Libc.AF_INET6};

    private final ProcessSockets processSockets;
    private final SocketDiag sampled;
    private final SocketDiag searched;
    private final SocketDiagRequest[] everything = {
        new SocketDiagRequest(Libc.AF_INET, List.of()), new SocketDiagRequest(Libc.AF_INET6, List.of())
    };
    private volatile View view = new View(List.of());

    /** The requests and the index of the sampling thread; immutable once published. */
    private static final class View {
        private final MonitoredSocket[] sockets;
        private final Long2ObjectHashMap<MonitoredSocket> byInode = new Long2ObjectHashMap<>();
        private final List<SocketDiagRequest> requestList = new ArrayList<>();
        private final SocketDiagRequest[] requests;

        View(List<MonitoredSocket> list) {
            sockets = list.toArray(NO_SOCKETS);
            for (MonitoredSocket socket : list) {
                byInode.put(socket.identity().inode(), socket);
            }
            for (int family : FAMILIES) {
                List<Integer> ports = list.stream()
                        .map(MonitoredSocket::identity)
                        .filter(identity -> identity.ipv6() == (family == Libc.AF_INET6))
                        .map(SocketIdentity::localPort)
                        .distinct()
                        .toList();
                if (!ports.isEmpty()) {
                    requestList.add(new SocketDiagRequest(family, ports));
                }
            }
            requests = requestList.toArray(new SocketDiagRequest[0]);
        }
    }

    private NetlinkSocketSource(long pid) {
        processSockets = new ProcessSockets(pid);
        NetworkNamespace namespace = new NetworkNamespace(pid);
        sampled = namespace.open(SocketDiag::open);
        searched = namespace.open(SocketDiag::open);
    }

    /**
     * Attaches to a process.
     *
     * @throws DetectException no such facility, or the process's namespace or descriptors are out of reach
     */
    static NetlinkSocketSource open(long pid) {
        NetlinkSocketSource source = new NetlinkSocketSource(pid);
        try {
            source.refresh();
            return source;
        } catch (DetectException e) {
            source.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "netlink sock_diag, filtered by port: kernel's accounting of memory, limit and drops";
    }

    @Override
    public void sample() {
        for (SocketDiagRequest request : view.requests) {
            sampled.ask(request, this);
        }
    }

    @Override
    public void onSocket(UnsafeBuffer message, int offset, int memory) {
        long inode = Integer.toUnsignedLong(message.getInt(offset + SocketDiag.INODE_OFFSET));
        MonitoredSocket socket = view.byInode.get(inode);
        if (socket != null) {
            socket.update(
                    word(message, memory, 0),
                    word(message, memory, 1),
                    word(message, memory, 2),
                    word(message, memory, 8));
        }
    }

    @Override
    public boolean refresh() {
        Long2LongHashMap open = processSockets.descriptorsByInode();
        View before = view;
        List<MonitoredSocket> now = new ArrayList<>();
        if (open != null && !open.isEmpty()) {
            for (SocketDiagRequest request : everything) {
                searched.ask(request, (message, offset, memory) -> {
                    SocketIdentity identity = SocketDiag.identity(message, offset);
                    if (open.containsKey(identity.inode())) {
                        now.add(known(before, identity));
                    }
                });
            }
        }
        view = new View(now);
        return open != null;
    }

    private static MonitoredSocket known(View before, SocketIdentity identity) {
        @Nullable MonitoredSocket socket = before.byInode.get(identity.inode());
        return socket != null && socket.identity().equals(identity) ? socket : new MonitoredSocket(identity);
    }

    private static long word(UnsafeBuffer message, int memory, int index) {
        return Integer.toUnsignedLong(message.getInt(memory + index * Integer.BYTES));
    }

    @Override
    public MonitoredSocket[] sockets() {
        return view.sockets;
    }

    @Override
    public void close() {
        sampled.close();
        searched.close();
    }
}
