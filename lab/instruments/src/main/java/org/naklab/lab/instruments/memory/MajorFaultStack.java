package org.naklab.lab.instruments.memory;

import java.util.List;

/**
 * The stack of a major fault.
 *
 * @param timeNs CLOCK_MONOTONIC; the kernel counts a fault when its page has arrived, so this is the end of the wait
 * @param tid thread
 * @param frames innermost first, {@code symbol (module)}
 */
public record MajorFaultStack(long timeNs, int tid, List<String> frames) {}
