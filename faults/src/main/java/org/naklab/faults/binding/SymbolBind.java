package org.naklab.faults.binding;

/**
 * A symbol was bound.
 *
 * @param symbol its name, cut off after 31 characters
 * @param beginNs CLOCK_MONOTONIC when the dynamic linker had found it
 * @param endNs CLOCK_MONOTONIC when the audit library let it go on
 * @param threadId the kernel's id of the thread that waited
 * @param delayed whether the audit library held it up
 */
public record SymbolBind(String symbol, long beginNs, long endNs, int processId, int threadId, boolean delayed) {
    public long durationNs() {
        return endNs - beginNs;
    }
}
