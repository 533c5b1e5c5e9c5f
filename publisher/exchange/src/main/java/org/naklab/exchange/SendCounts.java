package org.naklab.exchange;

import org.naklab.messaging.publication.RateLimitMode;

/**
 * Offers that were refused, by reason; each refused message was offered again.
 *
 * @param blocked the transport's rate limit was spent
 * @param heldBack the feed's own rate limit was spent ({@link RateLimitMode#APPLICATION}); never offered
 * @param backPressured the transport's window or log was full
 * @param notConnected nobody subscribed
 */
public record SendCounts(long blocked, long heldBack, long backPressured, long notConnected) {}
