package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Is one time in which a thread did not sleep: it ran, or it could not run although it had something to do. It ends when the thread goes to sleep
 * (state S) by itself.
 *
 * @param task the thread
 * @param beginNs when it was woken, ns; if it has not slept since the recorder began, that
 * @param endNs when it went to sleep, ns
 * @param cpuNs how long it was on a processor, ns
 * @param runnableNs how long it was runnable without a processor, ns
 * @param faultNs how long it waited in page faults, in state D, ns
 */
public record BusySpell(TaskId task, long beginNs, long endNs, long cpuNs, long runnableNs, long faultNs)
        implements KernelRecord {
    @Override
    @JsonIgnore
    public long timeNs() {
        return endNs;
    }
}
