package org.naklab.faults.seam;

import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.YieldMeasurement;

/**
 * Tells how a context thread yields: by {@link Thread#yield()}, whose symbol the JVM bound long ago, or, while the fault is armed, by
 * the lazily bound library. Its owner calls {@link #yieldOnce} on one thread.
 */
public final class Yielder {
    private volatile @Nullable LazyYield lazyYield;
    private volatile @Nullable YieldMeasurement firstLazy;

    /** Gives the processor away once. */
    @SuppressWarnings("ThreadPriorityCheck") // That it yields is the whole point.
    public void yieldOnce() {
        LazyYield current = lazyYield;
        if (current == null) {
            Thread.yield();
            return;
        }
        current.yieldOnce();
        if (firstLazy == null) {
            firstLazy = current.measurement();
        }
    }

    /** From now on by the lazily bound library, or again by the JVM's own yield. */
    public void useLazy(@Nullable LazyYield newLazyYield) {
        lazyYield = newLazyYield;
    }

    /** The first yield by the lazily bound library, or null if there was none. */
    public @Nullable YieldMeasurement firstLazy() {
        return firstLazy;
    }
}
