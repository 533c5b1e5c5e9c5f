package org.naklab.subscriber.book;

/** Takes the price levels of one side, the best first. */
@FunctionalInterface
public interface LevelConsumer {
    /**
     * Takes one level.
     *
     * @param price currency units times 10,000
     * @param quantity all that rests at the price, anonymous liquidity included
     * @param orders orders known by id; anonymous liquidity counts for none
     */
    void onLevel(long price, long quantity, int orders);
}
