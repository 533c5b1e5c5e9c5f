package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.instruments.sampling.Instrument;

/** Collects the drops of sockets to times in which a socket overflowed. Drops that follow each other belong to the same time. */
final class Overflows {
    /** Drops are reported once in a tenth of a second. */
    static final long GAP_NS = 150 * Instrument.MILLISECOND_NS;
    /** A longer time is split: a socket may overflow for as long as the process lives. */
    static final long LONGEST_NS = 1_000 * Instrument.MILLISECOND_NS;

    private static final int MAX_KEPT = 20_000;

    private final Map<Long, Deque<SocketEvent.Dropped>> drops = new HashMap<>();

    /**
     * A time in which a socket overflowed.
     *
     * @param inode of the socket
     * @param interval from the first drop to the last
     */
    record Overflow(long inode, Interval interval) {}

    /** Takes the report of a socket's drops. */
    void add(SocketEvent.Dropped drop) {
        Deque<SocketEvent.Dropped> ofSocket = drops.computeIfAbsent(drop.inode(), inode -> new ArrayDeque<>());
        ofSocket.addLast(drop);
        if (ofSocket.size() > MAX_KEPT) {
            ofSocket.removeFirst();
        }
    }

    /**
     * Removes and returns the times that ended before.
     *
     * @param untilNs the latest end; drops after it stay
     */
    List<Overflow> take(long untilNs) {
        List<Overflow> taken = new ArrayList<>();
        drops.forEach((inode, ofSocket) -> {
            while (!ofSocket.isEmpty()) {
                Interval first = firstOf(ofSocket);
                if (first.endNs() > untilNs) {
                    break;
                }
                ofSocket.removeIf(drop -> drop.seenNs() <= first.endNs());
                taken.add(new Overflow(inode, first));
            }
        });
        return taken;
    }

    /** Returns when the first time began that was not taken, ns; the greatest value: none is left. */
    long earliestNs() {
        return drops.values().stream()
                .filter(ofSocket -> !ofSocket.isEmpty())
                .mapToLong(ofSocket -> ofSocket.getFirst().timeNs())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static Interval firstOf(Deque<SocketEvent.Dropped> ofSocket) {
        long beganNs = ofSocket.getFirst().timeNs();
        long endedNs = ofSocket.getFirst().seenNs();
        for (SocketEvent.Dropped drop : ofSocket) {
            if (drop.timeNs() - endedNs > GAP_NS || drop.seenNs() - beganNs > LONGEST_NS) {
                break;
            }
            endedNs = drop.seenNs();
        }
        return new Interval(beganNs, endedNs);
    }
}
