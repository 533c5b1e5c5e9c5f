package org.naklab.faults.datagram;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.datagram.DatagramFilter.Action;
import org.naklab.faults.datagram.DatagramFilter.Fate;

/**
 * One direction of one endpoint: asks the filters about each datagram and keeps those that are held. When the filters change,
 * everything held is let go. Used by the endpoint's thread only.
 */
final class EndpointChannel {
    /** Beyond that, datagrams pass instead of being held. */
    static final int MAX_HELD = 4_096;

    private final DatagramSeam seam;
    private final NanoClock clock;
    private final Datagram datagram;
    private final PriorityQueue<HeldDatagram> waiting = new PriorityQueue<>();
    private final List<HeldDatagram> toBeOvertaken = new ArrayList<>();
    private DatagramFilter[] filters;
    private long numbered;

    EndpointChannel(DatagramSeam seam, Direction direction, NanoClock clock) {
        this.seam = seam;
        this.clock = clock;
        datagram = new Datagram(direction);
        filters = seam.filters();
    }

    boolean isIdle() {
        return waiting.isEmpty() && toBeOvertaken.isEmpty() && seam.filters().length == 0;
    }

    /** Returns whether the datagram passes now. If it does not, it is lost, or held as a copy. */
    boolean passes(ByteBuffer source, int offset, int lengthBytes, @Nullable InetSocketAddress address) {
        refresh();
        if (filters.length == 0 || !datagram.wrap(source, offset, lengthBytes)) {
            return true;
        }
        Fate fate = fate();
        boolean copies = fate.action() == Action.DUPLICATE || fate.action() == Action.HOLD;
        if (copies && waiting.size() + toBeOvertaken.size() == MAX_HELD) {
            return true;
        }
        long nowNs = clock.nanoTime();
        if (fate.action() != Action.HOLD || fate.behind() == 0) {
            overtake(nowNs);
        }
        if (copies) {
            hold(new HeldDatagram(source, offset, lengthBytes, address, ++numbered, fate, nowNs), fate.behind() > 0);
        }
        return fate.action() == Action.PASS || fate.action() == Action.DUPLICATE;
    }

    private Fate fate() {
        for (DatagramFilter filter : filters) {
            Fate fate = filter.fateOf(datagram);
            if (fate.action() != Action.PASS) {
                return fate;
            }
        }
        return Fate.PASS;
    }

    private void hold(HeldDatagram held, boolean untilOvertaken) {
        if (untilOvertaken) {
            toBeOvertaken.add(held);
        } else {
            waiting.add(held);
        }
    }

    private void overtake(long nowNs) {
        release(nowNs, true);
    }

    /** The next held datagram whose time has come, or null. */
    @Nullable
    HeldDatagram takeDue() {
        refresh();
        long nowNs = clock.nanoTime();
        release(nowNs, false);
        HeldDatagram first = waiting.peek();
        return first != null && first.isDue(nowNs) ? waiting.poll() : null;
    }

    private void release(long nowNs, boolean overtaken) {
        for (int i = 0; i < toBeOvertaken.size(); ) {
            HeldDatagram held = toBeOvertaken.get(i);
            if ((overtaken && held.isOvertaken()) || held.isDue(nowNs)) {
                toBeOvertaken.remove(i);
                held.dueAt(nowNs);
                waiting.add(held);
            } else {
                i++;
            }
        }
    }

    private void refresh() {
        DatagramFilter[] current = seam.filters();
        if (current != filters) {
            filters = current;
            long nowNs = clock.nanoTime();
            List<HeldDatagram> held = new ArrayList<>(waiting);
            held.addAll(toBeOvertaken);
            waiting.clear();
            toBeOvertaken.clear();
            held.forEach(each -> each.dueAt(nowNs));
            waiting.addAll(held);
        }
    }
}
