package org.naklab.lab.instruments.kernel;

/**
 * Is the last record: nothing is recorded after it.
 *
 * @param timeNs when, ns
 * @param reason empty if the recorder was told to stop; otherwise why it ended by itself
 */
public record RecorderEnd(long timeNs, String reason) implements KernelRecord {}
