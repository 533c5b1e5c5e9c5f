package org.naklab.lab.containers.pace;

/** Makes one late bind whose pages have been evicted and whose reads are limited. */
interface ReadTrial {
    /**
     * The result of a bind.
     *
     * @param majorFaults of the thread that bound; 0: no page was missing
     * @param durationNs from the call to its return
     */
    record Bind(long majorFaults, long durationNs) {}

    /**
     * Binds once.
     *
     * @throws org.naklab.lab.core.LabException when it cannot be made
     */
    Bind bind(ReadThrottle pace);
}
