package org.naklab.lab.watch.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Says what a watch could not see at all, so that nothing that was found is not taken for nothing that happened. */
final class Unseen {
    private Unseen() {}

    /**
     * Returns what was not seen of a process when its watch ends, each one line; empty if all was.
     *
     * @param failure of an instrument, or of a thread of the lab that died; {@code null}: none
     */
    static List<String> lines(WatchTarget target, Collection<SocketSummary> sockets, @Nullable Throwable failure) {
        List<String> lines = new ArrayList<>();
        if (sockets.isEmpty() && !target.isClient()) {
            lines.add("process " + target.pid()
                    + " had no UDP socket while it was watched, so that nothing can be said of what it receives");
        }
        if (failure != null) {
            lines.add("a part of the lab failed: " + failure);
        }
        return lines;
    }
}
