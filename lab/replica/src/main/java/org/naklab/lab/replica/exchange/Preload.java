package org.naklab.lab.replica.exchange;

/**
 * A busier time before the constant pace: it fills a journal as a day's trading would, in less time.
 *
 * @param eventsPerSecond reached by an even rise from a tenth
 * @param riseNs how long the rise takes
 * @param durationNs the rise included
 */
public record Preload(long eventsPerSecond, long riseNs, long durationNs) {}
