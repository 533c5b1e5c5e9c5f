package org.naklab.lab.instruments.watch;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Chooses the feed of a process whose senders and silences are watched: the kernel's record has room for one port. */
final class ReceivedFeed {
    /** The kernel gives ports from here on to sockets that ask for none, as those that only send. */
    private static final int FIRST_EPHEMERAL_PORT = 32_768;

    private ReceivedFeed() {}

    /**
     * Returns the feed of the sockets: that of a multicast group if there is one, or else that of a port that the process has chosen.
     *
     * @param sockets of the process that are open
     * @return empty without a socket
     */
    static Optional<Feed> of(Collection<SocketSummary> sockets) {
        return sockets.stream()
                .min(Comparator.comparing(
                                (SocketSummary socket) -> socket.groups().isEmpty())
                        .thenComparing(socket -> socket.identity().localPort() >= FIRST_EPHEMERAL_PORT)
                        .thenComparing(Comparator.comparingLong(
                                        (SocketSummary each) -> each.depths().limitBytes())
                                .reversed())
                        .thenComparing(socket -> socket.identity().localPort()))
                .map(socket -> new Feed(
                        destinations(socket, sockets), socket.identity().localPort(), ""));
    }

    /** The groups of all sockets of the port; or else the address to which the socket is bound, if it is bound to one. */
    private static List<String> destinations(SocketSummary socket, Collection<SocketSummary> sockets) {
        List<String> groups = sockets.stream()
                .filter(each -> each.identity().localPort() == socket.identity().localPort())
                .flatMap(each -> each.groups().stream())
                .distinct()
                .sorted()
                .toList();
        String bound = socket.identity().localAddress();
        boolean isWildcard = bound.equals("0.0.0.0") || bound.equals("::") || bound.equals("0:0:0:0:0:0:0:0");
        return !groups.isEmpty() || isWildcard ? groups : List.of(bound);
    }
}
