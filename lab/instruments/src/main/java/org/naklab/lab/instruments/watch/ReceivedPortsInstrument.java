package org.naklab.lab.instruments.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.sockets.MembershipInstrument;
import org.naklab.lab.instruments.sockets.PortSharingInstrument;
import org.naklab.lab.instruments.sockets.SocketSummary;

/**
 * Observes, for each port at which a process receives, whether its groups stay joined on this host, and which other sockets are bound to the
 * port. Ports and groups are those of the open sockets of the process; they are followed as sockets open, join and close.
 */
final class ReceivedPortsInstrument implements Instrument {
    /** Each costs the reading of files in /proc. */
    private static final int MAX_PORTS = 16;

    private static final int MAX_GROUPS_OF_PORT = 8;

    private final String process;
    private final long pid;
    private final Supplier<List<SocketSummary>> open;
    private final BooleanSupplier isAlive;
    private final LongUnaryOperator delivered;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final Map<Integer, Port> ports = new TreeMap<>();

    /** Tells what is observed of one port. */
    private final class Port {
        private final int number;
        private final PortSharingInstrument sharing;
        private final Map<String, MembershipInstrument> memberships = new TreeMap<>();
        private boolean isComplete = true;

        Port(int number) {
            this.number = number;
            sharing = PortSharingInstrument.attach(process, pid, number, Set.of(pid), delivered, this::onEvent, clock);
        }

        /** What was looked at is reported by port, so that the reports of each instrument for itself are left out. */
        private void onEvent(TimelineEvent event) {
            if (event instanceof DatagramEvent.MembershipLost lost) {
                listener.onEvent(lost.atPort(number));
            } else if (event.type() != TimelineEventType.PLACE_OBSERVED) {
                listener.onEvent(event);
            }
        }

        private void join(String group) {
            if (memberships.containsKey(group)) {
                return;
            }
            if (memberships.size() == MAX_GROUPS_OF_PORT) {
                isComplete = false;
                return;
            }
            memberships.put(group, MembershipInstrument.attach(process, pid, group, this::onEvent, clock));
        }

        private void refresh(long nowNs) {
            sharing.refresh(nowNs);
            memberships.values().forEach(membership -> membership.refresh(nowNs));
        }

        /** A socket that has joined no group cannot lose one. */
        private List<TimelineEvent> observed() {
            Interval sharingKnown = sharing.observed();
            long beginNs = sharingKnown.beginNs();
            long endNs = memberships.isEmpty() ? clock.nanoTime() : Long.MAX_VALUE;
            for (MembershipInstrument membership : memberships.values()) {
                beginNs = Math.max(beginNs, membership.observed().beginNs());
                endNs = Math.min(endNs, membership.observed().endNs());
            }
            List<TimelineEvent> events = new ArrayList<>();
            events.add(placeOf(PortSharingInstrument.PLACE, sharingKnown));
            if (isComplete) {
                events.add(placeOf(MembershipInstrument.PLACE, new Interval(beginNs, Math.max(beginNs, endNs))));
            }
            return events;
        }

        private TimelineEvent placeOf(String place, Interval interval) {
            return new DatagramEvent.PlaceObserved(interval, process, place, number, null);
        }

        private void close() {
            sharing.close();
            memberships.values().forEach(MembershipInstrument::close);
        }
    }

    /**
     * Begins to observe the ports of the sockets that are open.
     *
     * @param open returns the sockets that are open
     * @param isAlive whether the process exists: when it ends, it leaves its groups
     * @param delivered returns how many datagrams a socket at a unicast port has got so far, by its inode
     */
    ReceivedPortsInstrument(
            String process,
            long pid,
            Supplier<List<SocketSummary>> open,
            BooleanSupplier isAlive,
            LongUnaryOperator delivered,
            TimelineListener listener,
            NanoClock clock) {
        this.process = process;
        this.pid = pid;
        this.open = open;
        this.isAlive = isAlive;
        this.delivered = delivered;
        this.listener = listener;
        this.clock = clock;
        follow();
    }

    @Override
    public String title() {
        return "what looks at ports and groups";
    }

    @Override
    public String describe() {
        return "groups of the sockets of " + process + " on this host, and other sockets of their ports"
                + " (/proc/PID/net, at most " + MAX_PORTS + " ports)";
    }

    /** Does nothing: reading the files takes too long for the sampler. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public synchronized void refresh(long nowNs) {
        if (isAlive.getAsBoolean()) {
            follow();
            ports.values().forEach(port -> port.refresh(nowNs));
        }
    }

    private void follow() {
        List<SocketSummary> sockets = open.get();
        Set<Integer> now = new TreeSet<>();
        sockets.forEach(socket -> now.add(socket.identity().localPort()));
        ports.keySet().retainAll(now);
        // Groups first: a socket that only sends has a port as well.
        Stream.concat(
                        sockets.stream().filter(socket -> !socket.groups().isEmpty()),
                        sockets.stream().filter(socket -> socket.groups().isEmpty()))
                .forEach(this::follow);
    }

    private void follow(SocketSummary socket) {
        int number = socket.identity().localPort();
        try {
            Port port = ports.get(number);
            if (port == null && ports.size() < MAX_PORTS) {
                port = new Port(number);
                ports.put(number, port);
            }
            if (port != null) {
                socket.groups().forEach(port::join);
            }
        } catch (DetectException processEnded) {
            ports.remove(number);
        }
    }

    /** Returns the events that say of which ports what was looked at until now. Any thread. */
    synchronized List<TimelineEvent> observed() {
        return ports.values().stream().flatMap(port -> port.observed().stream()).toList();
    }

    @Override
    public synchronized void close() {
        if (isAlive.getAsBoolean()) {
            ports.values().forEach(Port::close);
        }
        observed().forEach(listener::onEvent);
        ports.clear();
    }
}
