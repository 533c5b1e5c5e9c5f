package org.naklab.lab.containers.faults.network;

import org.naklab.lab.containers.ContainerFault;

/** Faults of one container's network. Besides a partition and losses there can be one fault in each direction at a time. */
public final class NetworkFaults {
    private final String container;

    public NetworkFaults(String container) {
        this.container = container;
    }

    /** Returns the faults of received traffic. */
    public DirectedFaults incoming() {
        return new DirectedFaults(container, Direction.INCOMING);
    }

    /** Returns the faults of sent traffic: a receiver's NAKs, a sender's feed for all of its receivers. */
    public DirectedFaults outgoing() {
        return new DirectedFaults(container, Direction.OUTGOING);
    }

    /** Drops all traffic in both directions until closed. */
    public ContainerFault partition() {
        return new Partition(container);
    }
}
