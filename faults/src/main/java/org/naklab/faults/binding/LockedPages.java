package org.naklab.faults.binding;

/**
 * What pre-touching achieved.
 *
 * @param lockedBytes cannot be evicted any more
 * @param touchedBytes were brought in, but the limit on locked memory (RLIMIT_MEMLOCK) kept them from being locked
 */
public record LockedPages(long lockedBytes, long touchedBytes) {}
