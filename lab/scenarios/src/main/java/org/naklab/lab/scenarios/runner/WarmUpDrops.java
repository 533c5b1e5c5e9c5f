package org.naklab.lab.scenarios.runner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Datagrams that sockets dropped before the time that counts, by process and socket. */
final class WarmUpDrops {
    private final Map<String, Long> dropsBySocket = new HashMap<>();

    WarmUpDrops(List<TimelineEvent> timeline, long countedFromNs) {
        timeline.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> drop.timeNs() - countedFromNs < 0)
                .forEach(drop -> dropsBySocket.merge(key(drop.process(), drop.inode()), drop.datagrams(), Long::sum));
    }

    /** Returns the drops of one socket, identified by its inode. */
    long of(String process, long inode) {
        return dropsBySocket.getOrDefault(key(process, inode), 0L);
    }

    private static String key(String process, long inode) {
        return process + '#' + inode;
    }
}
