package org.naklab.lab.watch.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Says what a watch has not seen, so that nothing that was found is not taken for nothing that happened. */
final class Unseen {
    private Unseen() {}

    /**
     * Returns what was not seen of a process when its watch ends, each one line; empty if all was.
     *
     * @param behind the instruments that see nothing, each with the time until which it saw all
     */
    static List<String> lines(
            WatchTarget target, Collection<SocketSummary> sockets, Map<String, Long> behind, long nowNs) {
        List<String> lines = new ArrayList<>();
        if (sockets.isEmpty() && !target.isClient()) {
            lines.add("process " + target.pid()
                    + " had no UDP socket while it was watched, so that nothing can be said of what it receives");
        }
        behind.forEach((what, sinceNs) -> lines.add(sentence(what, sinceNs, nowNs)));
        return lines;
    }

    static String sentence(String what, long sinceNs, long nowNs) {
        return what + " has seen nothing for " + Format.milliseconds((nowNs - sinceNs) / Units.NS_PER_MS);
    }
}
