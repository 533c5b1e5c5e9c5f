package org.naklab.testcontainers;

/** Faults of one container's network. Besides partitions and losses, each direction can have one fault at a time. */
public final class NetworkFaults {
    private final org.naklab.lab.containers.faults.network.NetworkFaults faults;

    NetworkFaults(org.naklab.lab.containers.faults.network.NetworkFaults faults) {
        this.faults = faults;
    }

    /** Returns the faults of received traffic. */
    public DirectedFaults incoming() {
        return new DirectedFaults(faults.incoming());
    }

    /** Returns the faults of sent traffic. */
    public DirectedFaults outgoing() {
        return new DirectedFaults(faults.outgoing());
    }

    /** Drops all traffic in both directions. */
    public InjectedFault partition() {
        return InjectedFault.arm(() -> faults.partition());
    }
}
