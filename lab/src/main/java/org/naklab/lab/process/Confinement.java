package org.naklab.lab.process;

/**
 * What a subscriber in a container of its own does besides: it narrows the memory that is left for the page cache, and puts its journal
 * to disk.
 *
 * @param roomBytes what is to be left of the memory limit for the page cache; 0: as much as there is
 * @param journalSyncNs how often the journal is put to disk, so that its pages can be evicted at any time; 0: the kernel decides
 */
public record Confinement(long roomBytes, long journalSyncNs) {}
