package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.ProcFile;
import org.naklab.lab.instruments.sampling.MonitoredSocket;

/**
 * Tells whether a process may have opened, closed or joined a socket since the last call, for a small part of the cost of
 * reading all its descriptors: since 6.2 Linux reports their number as the size of {@code /proc/PID/fd}, and each reading of a
 * socket tells whether its descriptor is still the same file. Where the kernel does not report the number, the answer is always yes. A
 * descriptor that is closed while another one is opened leaves their number as it was, and is noticed only if it is a known
 * socket: so the answer is also yes from time to time, regardless of what is seen. One thread.
 */
final class SocketChanges implements AutoCloseable {
    private static final int MAX_UNCHANGED = 50;

    private final Path descriptors;
    private final MembershipList[] memberships;
    private long count;
    private int unchanged;

    SocketChanges(long pid) {
        descriptors = ProcPaths.of(pid, "fd");
        memberships = MulticastMemberships.files(pid).stream()
                .map(MembershipList::new)
                .toArray(MembershipList[]::new);
    }

    /** @param sockets as of the last look */
    boolean mayHaveHappened(MonitoredSocket[] sockets) {
        // Each is asked, so that each knows how it was this time.
        boolean isCountOther = isCountOther();
        boolean hasJoined = haveMembershipsChanged();
        unchanged++;
        boolean may = isCountOther || hasJoined || unchanged > MAX_UNCHANGED;
        for (int i = 0; i < sockets.length && !may; i++) {
            may = sockets[i].identity().localPort() == 0 || sockets[i].isClosed();
        }
        if (may) {
            unchanged = 0;
        }
        return may;
    }

    @Override
    public void close() {
        for (MembershipList list : memberships) {
            list.file.close();
        }
    }

    private boolean isCountOther() {
        long before = count;
        try {
            count = Files.size(descriptors);
        } catch (IOException gone) {
            count = 0;
        }
        return count == 0 || count != before;
    }

    private boolean haveMembershipsChanged() {
        boolean changed = false;
        for (MembershipList list : memberships) {
            changed |= list.hasChanged();
        }
        return changed;
    }

    /** The groups of a network namespace, as the kernel lists them. */
    private static final class MembershipList {
        private static final int CAPACITY = 16 * 1024;

        private final ProcFile file;
        private final byte[] before = new byte[CAPACITY];
        private final byte[] now = new byte[CAPACITY];
        private int lengthBefore;

        MembershipList(Path path) {
            file = ProcFile.open(path, CAPACITY);
        }

        /** A list that is longer than there is room for may always have. */
        boolean hasChanged() {
            int length = Math.max(0, file.read());
            file.view().getBytes(0, now, 0, length);
            boolean same = length < CAPACITY && Arrays.equals(now, 0, length, before, 0, lengthBefore);
            System.arraycopy(now, 0, before, 0, length);
            lengthBefore = length;
            return !same;
        }
    }
}
