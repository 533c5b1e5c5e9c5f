package org.naklab.exchange;

/**
 * Tells what bounds a feed.
 *
 * @param maxEvents events after which it ends
 * @param durationNs length of the schedule after which it ends
 * @param latestEndNs time after the start at which it ends however far the schedule is
 * @param messagesPerCycle messages sent in one duty cycle at most
 * @param heartbeatIntervalNs silence after which a heartbeat is sent
 */
record FeedLimits(long maxEvents, long durationNs, long latestEndNs, int messagesPerCycle, long heartbeatIntervalNs) {}
