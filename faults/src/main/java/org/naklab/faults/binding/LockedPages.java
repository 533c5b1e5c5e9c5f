package org.naklab.faults.binding;

import org.naklab.faults.FaultException;

/**
 * Tells what pre-touching achieved.
 *
 * @param lockedBytes cannot be evicted any more
 * @param touchedBytes were brought in, but the limit on locked memory (RLIMIT_MEMLOCK) kept them from being locked
 */
public record LockedPages(long lockedBytes, long touchedBytes) {
    /**
     * Returns this if all pages are locked.
     *
     * @throws FaultException if some are not, with the limit that forbids it and what to do
     */
    public LockedPages requireAll() {
        if (touchedBytes > 0) {
            throw new FaultException("only " + lockedBytes + " of " + (lockedBytes + touchedBytes)
                    + " bytes could be locked in memory: the limit on locked memory (RLIMIT_MEMLOCK) forbids more; raise it"
                    + " (ulimit -l, default-ulimits of the Docker engine), or give the process CAP_IPC_LOCK");
        }
        return this;
    }
}
