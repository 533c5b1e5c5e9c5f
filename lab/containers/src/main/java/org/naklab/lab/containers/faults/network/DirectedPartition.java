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
    private final Discarding discarding;

    DirectedPartition(String container, Direction direction) {
        this.container = container;
        this.direction = direction;
        discarding = new Discarding(container, direction, FIRST, PacketFilter.everything());
    }

    /** Returns the number of frames that were dropped. */
    long dropped() {
        return discarding.counts().diverted();
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
    public void close() {
        discarding.close();
    }
}
