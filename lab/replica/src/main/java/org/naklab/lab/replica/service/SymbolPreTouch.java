package org.naklab.lab.replica.service;

import java.util.concurrent.CompletableFuture;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.LockedPages;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.core.Units;
import org.naklab.lab.process.ProcessEvent.PreTouched;

/**
 * The remedy pre-touch: before anything else starts, a thread on which nobody waits locks the pages that a bind needs, then
 * yields once by the lazily bound library. Pages in memory make a bind fast; a bind that is made now need not be fast.
 */
final class SymbolPreTouch {
    private static final String THREAD = "pre-touch";

    private SymbolPreTouch() {}

    /** Returns when it is done; what it achieved. */
    static PreTouched make() {
        return CompletableFuture.supplyAsync(() -> touch(true), SymbolPreTouch::onItsOwnThread)
                .join();
    }

    /**
     * Locks the pages only, and leaves the bind to whoever yields first.
     *
     * @throws java.util.concurrent.CompletionException if they may not all be locked: nothing else keeps them in memory
     */
    static PreTouched lock() {
        return CompletableFuture.supplyAsync(() -> touch(false), SymbolPreTouch::onItsOwnThread)
                .join();
    }

    private static void onItsOwnThread(Runnable task) {
        new Thread(task, THREAD).start();
    }

    private static PreTouched touch(boolean isBound) {
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield lazyYield = LazyYield.load(libraries);
            LockedPages pages = lazyYield.preTouch();
            if (!isBound) {
                pages.requireAll();
                return new PreTouched(THREAD, pages.lockedBytes(), pages.touchedBytes(), 0);
            }
            lazyYield.yieldOnce();
            return new PreTouched(
                    THREAD,
                    pages.lockedBytes(),
                    pages.touchedBytes(),
                    (lazyYield.endNs() - lazyYield.beginNs()) / Units.NS_PER_MS);
        }
    }
}
