package org.naklab.exchange;

import org.naklab.messaging.Side;

/**
 * What rests at one price of one side.
 *
 * @param price currency units times 10,000
 * @param quantity shares of all orders at the price, positive
 */
public record BookLevel(Side side, long price, int quantity) {}
