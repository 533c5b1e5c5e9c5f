package org.naklab.lab.scenarios.runner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Datagrams that sockets dropped before the time that counts, by process and socket. */
final class WarmUpDrops {
    private final Map<String, Long> dropsBySocket = new HashMap<>();

    WarmUpDrops(List<TimelineEvent> timeline, long countedFromNs) {
        for (TimelineEvent event : timeline) {
            if (event.type() == TimelineEventType.DATAGRAMS_DROPPED && event.timeNs() - countedFromNs < 0) {
                dropsBySocket.merge(
                        key(event.process(), event.longDetail("inode", 0)),
                        event.longDetail("datagrams", 0),
                        Long::sum);
            }
        }
    }

    /** Returns the drops of one socket, identified by its inode. */
    long of(String process, long inode) {
        return dropsBySocket.getOrDefault(key(process, inode), 0L);
    }

    private static String key(String process, long inode) {
        return process + '#' + inode;
    }
}
