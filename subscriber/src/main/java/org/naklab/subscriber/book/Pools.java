package org.naklab.subscriber.book;

/** The pools that all books share, so that what one book no longer needs serves the next. */
final class Pools {
    final Pool<Order> orders = new Pool<>(Order::new);
    final Pool<PriceLevel> levels = new Pool<>(PriceLevel::new);
    final Pool<LevelBlock> blocks = new Pool<>(LevelBlock::new);
}
