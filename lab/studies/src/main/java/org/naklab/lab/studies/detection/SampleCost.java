package org.naklab.lab.studies.detection;

/**
 * The cost of one sample.
 *
 * @param method by which way the sockets are read
 * @param idleSockets sockets of the same network namespace that nobody asked about
 * @param medianNs of one sample
 * @param p99Ns of one sample
 * @param allocatedBytesPerSample on the heap
 * @param sockets read in each sample
 */
public record SampleCost(
        String method, int idleSockets, long medianNs, long p99Ns, double allocatedBytesPerSample, int sockets) {}
