package org.naklab.faults.binding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;

/**
 * One thread's door to a {@code sched_yield} that is bound at its first call in the process. Not thread-safe: the buffer that
 * measurements come back in is this object's own. Allocates nothing per call.
 */
public final class LazyYield {
    private static final int RESULT_BYTES = 5 * Long.BYTES;

    private static final ByteBuffer PASSED =
            ByteBuffer.allocateDirect(RESULT_BYTES).order(ByteOrder.nativeOrder());

    private static boolean loaded;
    /** Whether the slot led to the symbol when the library was loaded, or somebody has yielded through it since. */
    private static volatile boolean bound;

    private static volatile @Nullable YieldMeasurement firstBinding;

    private final ByteBuffer result = ByteBuffer.allocateDirect(RESULT_BYTES).order(ByteOrder.nativeOrder());

    private LazyYield() {}

    /**
     * Links the library's native method, without binding {@code sched_yield}: the JVM looks a native method up at its first
     * call, and that look-up must not take the fault that is meant for the bind. The library is loaded once a process, from
     * wherever it lay the first time.
     *
     * @throws FaultException if the library cannot be loaded
     */
    public static LazyYield load(NativeLibraries libraries) {
        loadOnce(libraries.yieldLibrary().toString());
        LazyYield lazyYield = new LazyYield();
        YieldLibrary.yieldOnce(lazyYield.result, false);
        // Loads the class, which otherwise would be read from disk right after the first yield, on the thread that
        // yields.
        lazyYield.measurement();
        return lazyYield;
    }

    @SuppressWarnings("restricted")
    private static synchronized void loadOnce(String path) {
        if (loaded) {
            return;
        }
        try {
            System.load(path);
            loaded = true;
            bound = isSlotBound();
        } catch (UnsatisfiedLinkError e) {
            throw new FaultException("cannot load " + path + ": " + e.getMessage(), e);
        }
    }

    /** Gives the processor away once, binding the symbol if this is the first time. */
    public void yieldOnce() {
        YieldLibrary.yieldOnce(result, true);
        if (!bound) {
            bound = true;
            firstBinding = measurement();
        }
    }

    /** The yield that found the symbol unbound, and in which it was bound; {@code null} until then. */
    public static @Nullable YieldMeasurement firstBinding() {
        return firstBinding;
    }

    /**
     * Goes through the library's code without yielding. The library that this one stands for is in use all the time: its code is
     * in memory, and only what a bind needs besides may be missing. Does nothing before the library is loaded.
     */
    public static synchronized void passBy() {
        if (loaded) {
            YieldLibrary.yieldOnce(PASSED, false);
        }
    }

    /** CLOCK_MONOTONIC, ns, at which the last call began. */
    public long beginNs() {
        return result.getLong(0);
    }

    /** CLOCK_MONOTONIC, ns, at which the last call ended. */
    public long endNs() {
        return result.getLong(8);
    }

    /** The last call; allocates. */
    public YieldMeasurement measurement() {
        return new YieldMeasurement(
                beginNs(), endNs(), result.getLong(16), result.getLong(24), (int) result.getLong(32));
    }

    /**
     * Returns whether the symbol was bound when the library was loaded, as {@code LD_BIND_NOW=1} does, or has been by a yield since.
     * Unlike {@link #isSlotBound()} it does not look at the library, and so brings none of its pages back into memory.
     */
    public static boolean isBound() {
        return bound;
    }

    /**
     * Returns whether the slot in the global offset table leads to the symbol already; reads the library's symbol tables. Under an audit
     * library it never does, because glibc then keeps the address elsewhere; ask the {@link AuditPage}.
     */
    public static boolean isSlotBound() {
        return YieldLibrary.boundState() == 1;
    }

    /**
     * Returns whether the library's symbol tables, which a bind reads, are in memory. Asks the kernel (mincore(2)) and does not touch them.
     * Before the library is loaded: no.
     *
     * @throws FaultException if the kernel does not tell
     */
    public static synchronized boolean areSymbolsInMemory() {
        int answer = loaded ? YieldLibrary.areSymbolsInMemory() : 0;
        if (answer < 0) {
            throw new FaultException("mincore() failed with error number " + -answer);
        }
        return answer == 1;
    }

    /** The remedy pre-touch: locks the pages of the lazy library, libc and the dynamic linker into memory. */
    public LockedPages preTouch() {
        YieldLibrary.keepPages(result);
        return new LockedPages(result.getLong(0), result.getLong(8));
    }

    /**
     * Asks the kernel to evict the symbol tables of the lazy library, libc and the dynamic linker. It skips pages that other
     * processes map too and says nothing; the proof is the next yield's {@link YieldMeasurement#majorFaults()}.
     *
     * @return bytes asked for
     * @throws FaultException if the kernel refuses (before Linux 5.4)
     */
    public static long evict() {
        long advisedBytes = YieldLibrary.evictPages();
        if (advisedBytes < 0) {
            throw new FaultException("madvise(MADV_PAGEOUT) failed with error number " + -advisedBytes);
        }
        return advisedBytes;
    }
}
