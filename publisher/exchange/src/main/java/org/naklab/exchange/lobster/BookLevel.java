package org.naklab.exchange.lobster;

import org.naklab.messaging.feed.Side;

/**
 * Tells what rests at one price of one side.
 *
 * @param price currency units times 10,000
 * @param quantity shares of all orders at the price, positive
 */
public record BookLevel(Side side, long price, int quantity) {}
