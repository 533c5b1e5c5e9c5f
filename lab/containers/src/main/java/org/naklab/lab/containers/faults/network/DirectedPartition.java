package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;

/** Drops all traffic of one direction, of any protocol, until closed. */
final class DirectedPartition implements ContainerFault {
    private static final int FIRST = 1;

    private final String container;
    private final Direction direction;
    private final TrafficRedirect diversion;
    private final TrafficRedirect.Counts atArming;
    private TrafficRedirect.Counts latest;
    private boolean isClosed;

    DirectedPartition(String container, Direction direction) {
        this.container = container;
        this.direction = direction;
        diversion = new TrafficRedirect(container, direction, FIRST);
        atArming = diversion.begin(PacketFilter.everything(), TrafficRedirect.HOLE);
        latest = atArming;
    }

    /** Returns the number of frames that were dropped; after {@link #close()} until then. */
    synchronized long dropped() {
        if (!isClosed) {
            latest = diversion.read(latest);
        }
        return latest.since(atArming).diverted();
    }

    @Override
    public FaultProof proof() {
        long dropped = dropped();
        return new FaultProof(
                dropped > 0,
                "dropped all " + dropped + " frames " + direction.name().toLowerCase(Locale.ROOT) + " at " + container,
                Map.of("framesDropped", dropped),
                List.of());
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            latest = diversion.end(latest);
            isClosed = true;
        }
    }
}
