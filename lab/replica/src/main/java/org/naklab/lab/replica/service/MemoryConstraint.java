package org.naklab.lab.replica.service;

/**
 * Constrains the memory of a subscriber in a container or a control group of its own: it squeezes the memory that is left for the page cache, and
 * flushes its journal to disk.
 *
 * @param leastRoomBytes what is to be left of the memory limit for the page cache at the least; 0: nothing is taken of it
 * @param narrowForNs how long the room may get narrower; then it stays as it is
 * @param journalSyncNs how often the journal is put to disk, so that its pages can be evicted at any time; 0: the kernel decides
 */
public record MemoryConstraint(long leastRoomBytes, long narrowForNs, long journalSyncNs) {
    /** Nothing is taken and nothing flushed. */
    public static final MemoryConstraint NONE = new MemoryConstraint(0, 0, 0);
}
