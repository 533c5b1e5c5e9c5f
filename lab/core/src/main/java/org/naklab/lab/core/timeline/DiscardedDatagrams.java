package org.naklab.lab.core.timeline;

import java.util.Set;

/** Judges datagrams that the kernel discarded, which are events of type {@link TimelineEventType#DATAGRAMS_DISCARDED}. */
public final class DiscardedDatagrams {
    /** The kernel gives no reason. */
    public static final String UNSPECIFIED = "NOT_SPECIFIED";

    private static final String CLOSING_SOCKET = "udp_destruct_common";

    /** Reasons that accuse nobody: a socket counts what it dropped when it was full, a closing socket purges its queue. */
    private static final Set<String> NEUTRAL = Set.of("SOCKET_RCVBUFF", "QUEUE_PURGE");

    /** Reasons of what the sockets count themselves, beside those that accuse nobody. */
    private static final Set<String> OF_SOCKETS = Set.of(SocketDrops.BAD_CHECKSUM, SocketDrops.NO_MEMORY);

    private DiscardedDatagrams() {}

    /**
     * Returns whether nobody misses the datagrams, or the socket counts them. A bridge frees the copies that it does not forward, and the host
     * those of groups that it has not joined itself, without a reason.
     */
    public static boolean isNeutral(TimelineEvent event) {
        String reason = event.textDetail("reason");
        boolean isElsewhere = !Boolean.TRUE.equals(event.detail("atReceiver"));
        String location = event.textDetail("location");
        return NEUTRAL.contains(reason)
                || (reason.equals(UNSPECIFIED)
                        && (isElsewhere || location.isEmpty() || location.equals(CLOSING_SOCKET)));
    }

    /** Returns whether datagrams were lost that no socket counts. */
    public static boolean isBeforeSocket(TimelineEvent event) {
        return !isNeutral(event) && !OF_SOCKETS.contains(event.textDetail("reason"));
    }
}
