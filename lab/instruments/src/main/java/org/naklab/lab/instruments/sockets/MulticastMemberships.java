package org.naklab.lab.instruments.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;

/**
 * Finds the multicast groups that a socket has joined. The kernel lists groups by interface ({@code /proc/PID/net/igmp},
 * {@code igmp6}), not by socket; but a socket accepts or refuses the question for the source filter of its membership in one
 * group on one interface.
 *
 * <pre>
 * group_filter: 0 interface:32  8 sockaddr_storage[128]  136 mode:32  140 sources:32  144 sockaddr_storage[1]
 * </pre>
 */
final class MulticastMemberships {
    private static final int GROUP_OFFSET = 8;
    private static final int FILTER_LENGTH = 144;

    private final Path igmp;
    private final Path igmp6;
    private final NativeMemory filter = new NativeMemory(FILTER_LENGTH + 128);
    private final NativeMemory length = new NativeMemory(Integer.BYTES);

    MulticastMemberships(long pid) {
        igmp = file(pid, "igmp");
        igmp6 = file(pid, "igmp6");
    }

    /**
     * Returns the files in which the kernel lists the groups of a process's network namespace, if they are readable: a
     * change of membership changes one of them.
     */
    static List<Path> files(long pid) {
        return Stream.of(file(pid, "igmp"), file(pid, "igmp6"))
                .filter(Files::isReadable)
                .toList();
    }

    /** Returns the groups that a socket has joined. */
    List<String> groupsOf(int descriptor, List<GroupOnInterface> candidates) {
        List<String> joined = new ArrayList<>();
        for (GroupOnInterface candidate : candidates) {
            if (!joined.contains(candidate.group()) && isMember(descriptor, candidate)) {
                joined.add(candidate.group());
            }
        }
        return joined;
    }

    private static Path file(long pid, String name) {
        return ProcPaths.of(pid, "net", name);
    }

    private boolean isMember(int descriptor, GroupOnInterface candidate) {
        filter.view().setMemory(0, filter.length(), (byte) 0);
        filter.view().putInt(0, candidate.interfaceIndex());
        filter.view().putShort(GROUP_OFFSET, (short) (candidate.ipv6() ? Libc.AF_INET6 : Libc.AF_INET));
        filter.view().putBytes(GROUP_OFFSET + (candidate.ipv6() ? 8 : 4), candidate.address());
        length.view().putInt(0, FILTER_LENGTH);
        int level = candidate.ipv6() ? Libc.IPPROTO_IPV6 : Libc.IPPROTO_IP;
        return Libc.getsockopt(descriptor, level, Libc.MCAST_MSFILTER, filter.address(), length.address()) == 0;
    }

    /** Returns the groups that sockets of the network namespace have joined. */
    List<GroupOnInterface> candidates() {
        try {
            List<GroupOnInterface> found = new ArrayList<>();
            if (Files.exists(igmp)) {
                GroupOnInterface.parseIgmp(Files.readAllLines(igmp), found);
            }
            if (Files.exists(igmp6)) {
                GroupOnInterface.parseIgmp6(Files.readAllLines(igmp6), found);
            }
            return found;
        } catch (IOException processGone) {
            return List.of();
        }
    }
}
