package org.naklab.testcontainers;

import java.util.List;
import java.util.Map;
import org.naklab.faults.Firing;
import org.naklab.lab.containers.ContainerFault;

/** A fault that is armed in a container. Its proof comes from the counters of the kernel or of the engine. */
public final class InjectedFault implements AutoCloseable {
    private final ContainerFault fault;

    InjectedFault(ContainerFault fault) {
        this.fault = fault;
    }

    /** Returns whether the fault had its effect since it was armed; after {@link #close()}, until then. */
    public boolean fired() {
        return fault.proof().fired();
    }

    /** Returns one line with what it did, such as "dropped 290 of 1004 frames incoming at receiver". */
    public String explanation() {
        return fault.proof().explanation();
    }

    /** Returns the figures of the proof, with units in their names, such as {@code datagramsDropped}. */
    public Map<String, Long> figures() {
        return fault.proof().figures();
    }

    /**
     * Returns what it struck, such as "datagram 17 to 239.192.16.9:20900": the first 64, in order; empty for faults that are only counted,
     * which are all but the loss with a seed.
     */
    public List<String> firings() {
        return fault.proof().firings().stream().map(Firing::what).toList();
    }

    /** Undoes the fault; a second time does nothing. */
    @Override
    public void close() {
        fault.close();
    }
}
