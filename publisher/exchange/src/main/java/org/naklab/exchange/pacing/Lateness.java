package org.naklab.exchange.pacing;

/**
 * Tells how well a feed kept its schedule.
 *
 * @param messages messages that had a place in a schedule
 * @param meanNs mean of how long after it was due a message left
 * @param maxNs the largest of these
 * @param slippedNs how far the schedule was moved back in all, because the feed was later than it may catch up
 */
public record Lateness(long messages, long meanNs, long maxNs, long slippedNs) {}
