package org.naklab.lab.instruments.sockets;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeSampler;
import org.naklab.lab.instruments.linux.ProcessExit;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sampling.SocketPollTable;

/**
 * Asks each socket itself: {@code pidfd_getfd} duplicates the process's descriptors into this one, {@code SO_MEMINFO} reads the
 * figures. The cost is per socket of the process; sockets of others do not matter. Needs Linux 5.6 and the right to trace the
 * process (its user's, or CAP_SYS_PTRACE).
 *
 * <p>The duplicate keeps a socket open that its owner closes, with its port and its groups, until the next {@link #refresh} sees
 * that the owner's descriptor is gone. Refresh often. When the process ends, its sockets are let go after the next sample, so that a process
 * that takes its place can bind the same ports.
 * When the process is this one, the duplicates are its own descriptors and are passed over.
 */
final class PidfdSocketSource implements SocketSource {
    private static final SocketPollTable.FiguresConsumer NOBODY = (timeNs, socket) -> {};

    private final ProcessSockets processSockets;
    private final MulticastMemberships memberships;
    private final SocketChanges changes;
    private final int pidfd;
    private final SocketOptions sampling = new SocketOptions();
    private final SocketOptions asking = new SocketOptions();
    private final LongHashSet others = new LongHashSet();
    private final ManyToOneConcurrentLinkedQueue<MonitoredSocket> retired = new ManyToOneConcurrentLinkedQueue<>();
    private final Set<Integer> duplicates = ConcurrentHashMap.newKeySet();
    private final ProcessExit exit;
    private volatile boolean isEnded;
    private final boolean isOwn;
    private volatile MonitoredSocket[] sockets = NO_SOCKETS;
    private volatile SocketPollTable panel = new SocketPollTable(NO_SOCKETS);
    /** The sampling thread's. */
    private SocketPollTable looked = panel;

    private PidfdSocketSource(long pid, int pidfd) {
        this.pidfd = pidfd;
        isOwn = pid == ProcessHandle.current().pid();
        processSockets = new ProcessSockets(pid);
        memberships = new MulticastMemberships(pid);
        changes = new SocketChanges(pid);
        exit = ProcessExit.onExit(pidfd, () -> isEnded = true);
    }

    /**
     * Attaches to a process.
     *
     * @throws DetectException the kernel is too old, the process is gone, or its sockets may not be had
     */
    static PidfdSocketSource open(long pid) {
        int pidfd = (int) Libc.syscall(Libc.SYS_PIDFD_OPEN, pid, 0, 0);
        if (pidfd < 0) {
            throw new DetectException("pidfd_open of " + pid + ": " + Libc.lastError());
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
        moveOn();
        if (NativeSampler.isAvailable()) {
            looked.look(System.nanoTime());
            looked.take(NOBODY);
        } else {
            for (MonitoredSocket socket : sockets) {
                sampling.readMemory(socket);
            }
        }
    }

    /** Samples the sockets; the readings of a closed one are handed over before its duplicate is closed. */
    @Override
    public void sample(long nowNs, SocketPollTable.FiguresConsumer consumer) {
        if (NativeSampler.isAvailable()) {
            looked.lookIfNobodyHas(nowNs);
            looked.take(consumer);
            moveOn();
        } else {
            SocketSource.super.sample(nowNs, consumer);
        }
    }

    @Override
    public @Nullable SocketPollTable panel() {
        return NativeSampler.isAvailable() ? looked : null;
    }

    @Override
    public boolean refresh() {
        return !changes.mayHaveHappened(sockets) || list();
    }

    /** Lists the sockets; returns false if the process no longer exists. */
    private synchronized boolean list() {
        Long2LongHashMap open = processSockets.descriptorsByInode(isOwn ? duplicates::contains : descriptor -> false);
        boolean alive = open != null;
        Long2LongHashMap present = open != null ? open : new Long2LongHashMap(ProcessSockets.MISSING);
        List<MonitoredSocket> kept = new ArrayList<>();
        List<MonitoredSocket> closed = new ArrayList<>();
        for (MonitoredSocket socket : sockets) {
            int descriptor = (int) present.remove(socket.identity().inode());
            socket.ownersDescriptor(descriptor);
            (descriptor != ProcessSockets.MISSING ? kept : closed).add(boundMeanwhile(socket));
        }
        others.removeIfLong(inode -> !present.containsKey(inode));
        present.forEachLong((inode, descriptor) -> adopt(inode, (int) descriptor, kept));
        memberships.refresh(kept);
        MonitoredSocket[] now = kept.toArray(NO_SOCKETS);
        if (!Arrays.equals(now, sockets)) {
            panel = new SocketPollTable(now);
        }
        sockets = now;
        closed.forEach(retired::add);
        return alive;
    }

    @Override
    public MonitoredSocket[] sockets() {
        return sockets;
    }

    /** Closes the duplicates, after the last sample. */
    @Override
    public void close() {
        exit.close();
        for (MonitoredSocket socket : sockets) {
            release(socket.descriptor());
        }
        sockets = NO_SOCKETS;
        releaseRetired();
        changes.close();
        Libc.close(pidfd);
    }

    /** Descriptor 0 or not, the kernel checks the permission before it looks for the descriptor. */
    private void requireAccess() {
        int descriptor = duplicate(Integer.MAX_VALUE);
        if (descriptor >= 0) {
            Libc.close(descriptor);
        } else if (Native.getLastError() != Libc.EBADF) {
            throw new DetectException("pidfd_getfd: " + Libc.lastError());
        }
    }

    /**
     * The sampling thread closes, so that it never reads a number that has come to mean another file: what it closes is in no panel that
     * it finds afterwards.
     */
    private void moveOn() {
        if (isEnded && sockets.length > 0) {
            retireAll();
        }
        looked = panel;
        releaseRetired();
    }

    private void releaseRetired() {
        for (MonitoredSocket socket = retired.poll(); socket != null; socket = retired.poll()) {
            release(socket.descriptor());
        }
    }

    private void release(int descriptor) {
        duplicates.remove(descriptor);
        Libc.close(descriptor);
    }

    /** The sockets have had their last sample. */
    private synchronized void retireAll() {
        for (MonitoredSocket socket : sockets) {
            retired.add(socket);
        }
        sockets = NO_SOCKETS;
        panel = new SocketPollTable(NO_SOCKETS);
    }

    private void adopt(long inode, int theirDescriptor, List<MonitoredSocket> adopted) {
        if (others.contains(inode)) {
            return;
        }
        int descriptor = duplicate(theirDescriptor);
        if (descriptor < 0) {
            return; // closed meanwhile, or the process ended: the next refresh settles it
        }
        if (!isSocket(descriptor, inode)) {
            Libc.close(descriptor);
        } else if (!asking.isUdp(descriptor)) {
            Libc.close(descriptor);
            others.add(inode);
        } else {
            duplicates.add(descriptor);
            adopted.add(new MonitoredSocket(asking.identify(descriptor, inode), descriptor, theirDescriptor));
        }
    }

    /** A socket may be seen between its creation and its binding. */
    private MonitoredSocket boundMeanwhile(MonitoredSocket socket) {
        if (socket.identity().localPort() != 0) {
            return socket;
        }
        SocketIdentity identity =
                asking.identify(socket.descriptor(), socket.identity().inode());
        return identity.localPort() == 0
                ? socket
                : new MonitoredSocket(identity, socket.descriptor(), socket.ownersDescriptor());
    }

    /** The number may have been closed and used again since the directory was listed. */
    private static boolean isSocket(int descriptor, long inode) {
        try {
            return ProcessSockets.inodeOf(Path.of("/proc/self/fd", Integer.toString(descriptor))) == inode;
        } catch (IOException e) {
            throw new DetectException("cannot read own descriptor " + descriptor + ": " + e.getMessage(), e);
        }
    }

    private int duplicate(int theirDescriptor) {
        return (int) Libc.syscall(Libc.SYS_PIDFD_GETFD, pidfd, theirDescriptor, 0);
    }
}
