package org.naklab.faults.binding;

import java.nio.ByteBuffer;

/** Native methods of libnaklab_yield; the C sources draw the buffers' layouts. */
final class YieldLibrary {
    private YieldLibrary() {}

    /** Measures one call of sched_yield; without {@code really} all but the call. */
    static native void yieldOnce(ByteBuffer result, boolean really);

    /** 1 bound, 0 unbound, -1 no such slot. */
    static native int boundState();

    /** Locks, or at least touches, the pages that binding needs. */
    static native void keepPages(ByteBuffer result);

    /** Asks the kernel to evict the pages that binding needs; bytes advised, or minus the error number. */
    static native long evictPages();

    /** 1 if the library's symbol tables are in memory, 0 if not, or minus the error number. */
    static native int areSymbolsInMemory();
}
