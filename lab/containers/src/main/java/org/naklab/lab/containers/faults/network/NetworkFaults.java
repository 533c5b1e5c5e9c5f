package org.naklab.lab.containers.faults.network;

import org.naklab.lab.containers.ContainerFault;

/** Faults of one container's network. Besides a partition and losses there can be one fault in each direction at a time. */
public final class NetworkFaults {
    private final String container;

    public NetworkFaults(String container) {
        this.container = container;
    }

    /** Of what it receives. */
    public DirectedFaults incoming() {
        return new DirectedFaults(container, Direction.INCOMING);
    }

    /** Of what it sends: a receiver's NAKs, a sender's feed for all of its receivers. */
    public DirectedFaults outgoing() {
        return new DirectedFaults(container, Direction.OUTGOING);
    }

    /** Nothing in, nothing out, until it is healed by being closed. */
    public ContainerFault partition() {
        return new Partition(container);
    }
}
