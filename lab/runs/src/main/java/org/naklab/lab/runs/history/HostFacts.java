package org.naklab.lab.runs.history;

/**
 * The host of a run.
 *
 * @param memoryBytes of the machine; 0: unknown
 */
public record HostFacts(
        String naklab, String jdk, String kernel, String architecture, String processor, int cores, long memoryBytes) {}
