package org.naklab.lab.instruments.sockets;

import com.sun.jna.Native;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeSampler;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketPollTable;

/**
 * Asks each socket itself: {@code pidfd_getfd} duplicates the process's descriptor into this one, {@code SO_MEMINFO} reads the
 * figures, and the duplicate is closed. The cost is per socket of the process; sockets of others do not matter. Needs Linux 5.6 and the
 * right to trace the process (its user's, or CAP_SYS_PTRACE).
 *
 * <p>A duplicate keeps a socket that its owner closes alive, with its port and its share of the datagrams, so none is kept: each lives for
 * one reading, some microseconds. The cookie of the socket tells whether the descriptor has become another file meanwhile.
 * When the process is this one, its own descriptors are read.
 */
final class PidfdSocketSource implements SocketSource {
    private static final SocketPollTable.FiguresConsumer NOBODY = (timeNs, socket) -> {};
    private static final int OWN = -1;

    private final ProcessSockets processSockets;
    private final MulticastMemberships memberships;
    private final SocketChanges changes;
    private final int pidfd;
    private final SocketOptions sampling = new SocketOptions();
    private final SocketOptions asking = new SocketOptions();
    private final LongHashSet others = new LongHashSet();
    private volatile MonitoredSocket[] sockets = NO_SOCKETS;
    private volatile SocketPollTable pollTable;
    /** The sampling thread's. */
    private SocketPollTable looked;

    private PidfdSocketSource(long pid, int pidfd) {
        this.pidfd = pidfd;
        processSockets = new ProcessSockets(pid);
        memberships = new MulticastMemberships(pid);
        changes = new SocketChanges(pid);
        pollTable = new SocketPollTable(pidfd, NO_SOCKETS);
        looked = pollTable;
    }

    /**
     * Attaches to a process.
     *
     * @throws DetectException the kernel is too old, the process is gone, or its sockets may not be had
     */
    static PidfdSocketSource open(long pid) {
        int pidfd = OWN;
        if (pid != ProcessHandle.current().pid()) {
            pidfd = (int) Libc.syscall(Libc.SYS_PIDFD_OPEN, pid, 0, 0);
            if (pidfd < 0) {
                throw new DetectException("pidfd_open of " + pid + ": " + Libc.lastError());
            }
        }
        PidfdSocketSource source = new PidfdSocketSource(pid, pidfd);
        try {
            source.requireAccess();
            source.refresh();
            return source;
        } catch (DetectException e) {
            source.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "pidfd_getfd + SO_MEMINFO: each socket asked by itself; kernel's accounting of memory, limit and drops";
    }

    @Override
    public void sample() {
        looked = pollTable;
        if (NativeSampler.isAvailable()) {
            looked.look(System.nanoTime());
            looked.take(NOBODY);
        } else {
            for (MonitoredSocket socket : sockets) {
                read(socket);
            }
        }
    }

    @Override
    public void sample(long nowNs, SocketPollTable.FiguresConsumer consumer) {
        if (NativeSampler.isAvailable()) {
            looked.lookIfNobodyHas(nowNs);
            looked.take(consumer);
            looked = pollTable;
        } else {
            SocketSource.super.sample(nowNs, consumer);
        }
    }

    @Override
    public @Nullable SocketPollTable pollTable() {
        return NativeSampler.isAvailable() ? looked : null;
    }

    @Override
    public boolean refresh() {
        return !changes.mayHaveHappened(sockets) || list();
    }

    /** Lists the sockets; returns false if the process no longer exists. */
    private synchronized boolean list() {
        Long2LongHashMap open = processSockets.descriptorsByInode();
        Long2LongHashMap present = open != null ? open : new Long2LongHashMap(ProcessSockets.MISSING);
        List<MonitoredSocket> kept = new ArrayList<>();
        for (MonitoredSocket socket : sockets) {
            int descriptor = (int) present.remove(socket.identity().inode());
            if (descriptor != ProcessSockets.MISSING) {
                MonitoredSocket seen = seenAgain(socket, descriptor);
                if (seen != null) {
                    kept.add(seen);
                }
            }
        }
        others.removeIfLong(inode -> !present.containsKey(inode));
        present.forEachLong((inode, descriptor) -> adopt(inode, (int) descriptor, kept));
        refreshGroups(kept);
        MonitoredSocket[] now = kept.toArray(NO_SOCKETS);
        if (!Arrays.equals(now, sockets)) {
            pollTable = new SocketPollTable(pidfd, now);
        }
        sockets = now;
        return open != null;
    }

    @Override
    public MonitoredSocket[] sockets() {
        return sockets;
    }

    @Override
    public void close() {
        sockets = NO_SOCKETS;
        changes.close();
        if (pidfd != OWN) {
            Libc.close(pidfd);
        }
    }

    /** Descriptor 0 or not, the kernel checks the permission before it looks for the descriptor. */
    private void requireAccess() {
        if (pidfd == OWN) {
            return;
        }
        int descriptor = duplicate(Integer.MAX_VALUE);
        if (descriptor >= 0) {
            Libc.close(descriptor);
        } else if (Native.getLastError() != Libc.EBADF) {
            throw new DetectException("pidfd_getfd: " + Libc.lastError());
        }
    }

    /** Without the native library. Without allocation. */
    private void read(MonitoredSocket socket) {
        int descriptor = pidfd == OWN ? socket.ownersDescriptor() : duplicate(socket.ownersDescriptor());
        boolean isSame = descriptor >= 0
                && sampling.cookie(descriptor) == socket.cookie()
                && sampling.readMemory(descriptor, socket);
        if (descriptor >= 0 && pidfd != OWN) {
            Libc.close(descriptor);
        }
        if (!isSame) {
            socket.close();
        }
    }

    private void adopt(long inode, int descriptor, List<MonitoredSocket> adopted) {
        if (!others.contains(inode)) {
            // Empty if it was closed meanwhile, or the process ended: the next refresh settles it.
            MonitoredSocket socket = asked(descriptor, duplicate -> identified(duplicate, inode, descriptor));
            if (socket != null) {
                adopted.add(socket);
            }
        }
    }

    /** The number may have been closed and used again since the directory was listed; the next refresh finds what has the inode. */
    private @Nullable MonitoredSocket identified(int duplicate, long inode, int descriptor) {
        if (SocketOptions.inode(duplicate) != inode) {
            return null;
        }
        if (!asking.isUdp(duplicate)) {
            others.add(inode);
            return null;
        }
        return new MonitoredSocket(asking.identify(duplicate, inode), descriptor, asking.cookie(duplicate));
    }

    /** A socket may be seen between its creation and its binding, and under another descriptor than before. */
    private @Nullable MonitoredSocket seenAgain(MonitoredSocket socket, int descriptor) {
        boolean isBound = socket.identity().localPort() != 0;
        boolean isReadable = socket.ownersDescriptor() == descriptor && !socket.isClosed();
        if (isBound && isReadable) {
            return socket;
        }
        MonitoredSocket now = asked(
                descriptor, duplicate -> identified(duplicate, socket.identity().inode(), descriptor));
        return isReadable && now != null && now.identity().equals(socket.identity()) ? socket : now;
    }

    private void refreshGroups(List<MonitoredSocket> kept) {
        List<GroupOnInterface> candidates = kept.isEmpty() ? List.of() : memberships.candidates();
        for (MonitoredSocket socket : kept) {
            List<String> joined = candidates.isEmpty()
                    ? List.of()
                    : asked(
                            socket.ownersDescriptor(),
                            duplicate -> asking.cookie(duplicate) == socket.cookie()
                                    ? memberships.groupsOf(duplicate, candidates)
                                    : null);
            if (joined != null && !joined.equals(socket.groups())) {
                socket.groups(List.copyOf(joined));
            }
        }
    }

    /** Asks a descriptor of the process; {@code null} if there is none of that number. */
    private <T> @Nullable T asked(int theirDescriptor, IntFunction<@Nullable T> question) {
        if (pidfd == OWN) {
            return question.apply(theirDescriptor);
        }
        int descriptor = duplicate(theirDescriptor);
        if (descriptor < 0) {
            return null;
        }
        try {
            return question.apply(descriptor);
        } finally {
            Libc.close(descriptor);
        }
    }

    private int duplicate(int theirDescriptor) {
        return (int) Libc.syscall(Libc.SYS_PIDFD_GETFD, pidfd, theirDescriptor, 0);
    }
}
