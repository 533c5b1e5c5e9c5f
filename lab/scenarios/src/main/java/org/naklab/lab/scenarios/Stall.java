package org.naklab.lab.scenarios;

/**
 * A context thread's duty cycle stood still.
 *
 * @param process whose thread it was
 * @param atNs when it began, on the clock of the timeline
 * @param majorFaults of that thread meanwhile; -1 where the machine does not tell
 * @param cause as far as it is known
 */
public record Stall(String process, long atNs, double durationMs, String thread, long majorFaults, String cause) {}
