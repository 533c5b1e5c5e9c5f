package org.naklab.lab.replica.service;

/**
 * Describes a table of reference data, such as the terms of listed options, which a service keeps in a file and maps.
 *
 * @param file is written when the service starts
 * @param bytes size of the file, a multiple of the size of a page
 * @param readEveryNs time from one event for which an entry is read to the next, ns
 * @param seed of the choice of entries
 */
public record ReferenceTable(String file, long bytes, long readEveryNs, long seed) {}
