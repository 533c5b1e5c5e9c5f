package org.naklab.lab.watch.command.live;

import java.util.List;
import org.naklab.lab.instruments.aeron.SubscriptionSummary;
import org.naklab.lab.instruments.sockets.SocketSummary;

/**
 * A process as the live table shows it.
 *
 * @param title its id, its program, and its part in an Aeron unit
 * @param beganNs since when it is watched, CLOCK_MONOTONIC
 */
public record WatchedProcess(
        String title, long beganNs, List<SocketSummary> sockets, List<SubscriptionSummary> subscriptions) {
    public WatchedProcess {
        sockets = List.copyOf(sockets);
        subscriptions = List.copyOf(subscriptions);
    }
}
