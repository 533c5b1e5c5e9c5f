package org.naklab.lab.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CompletableFuture;
import org.naklab.faults.binding.KeptPages;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;

/**
 * The remedy pre-touch: before anything else starts, a thread on which nobody waits locks the pages that a bind needs, then
 * yields once by the lazily bound library. Pages in memory make a bind fast; a bind that is made now need not be fast.
 */
final class EarlyBinding {
    private EarlyBinding() {}

    /** Returns when it is done; what it achieved. */
    static ObjectNode make() {
        return CompletableFuture.supplyAsync(EarlyBinding::touch, EarlyBinding::onItsOwnThread)
                .join();
    }

    private static void onItsOwnThread(Runnable task) {
        new Thread(task, "pre-touch").start();
    }

    private static ObjectNode touch() {
        ObjectNode achieved = Json.object().put("thread", "pre-touch");
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield lazyYield = LazyYield.load(libraries);
            KeptPages pages = lazyYield.preTouch();
            lazyYield.yieldOnce();
            return achieved.put("lockedBytes", pages.lockedBytes())
                    .put("touchedBytes", pages.touchedBytes())
                    .put("durationMs", (lazyYield.endNs() - lazyYield.beginNs()) / 1e6);
        }
    }
}
