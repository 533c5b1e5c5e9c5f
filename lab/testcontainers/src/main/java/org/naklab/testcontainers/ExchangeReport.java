package org.naklab.testcontainers;

/**
 * The figures of an exchange.
 *
 * @param published events, each with a sequence of its own
 * @param digest of all of them
 * @param done whether the trailer is out, or the flow cannot go on
 */
public record ExchangeReport(long published, long digest, boolean done) {}
