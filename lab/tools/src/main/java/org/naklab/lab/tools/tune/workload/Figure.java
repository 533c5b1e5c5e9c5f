package org.naklab.lab.tools.tune.workload;

/**
 * A figure that a workload measures beside its value.
 *
 * @param name with its unit at the end, such as {@code longest write, µs}
 */
public record Figure(String name, double value) {}
