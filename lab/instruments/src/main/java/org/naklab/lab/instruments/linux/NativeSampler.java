package org.naklab.lab.instruments.linux;

import java.io.IOException;
import org.naklab.files.NativeResource;

/**
 * The native library that sleeps and looks at sockets for the sampler. It is built with this module and travels in its jar; a build
 * without a C compiler has none, and the sampler does without.
 */
public final class NativeSampler {
    private static final NativeResource LIBRARY = new NativeResource(NativeSampler.class, "libnaklab_sampler.so");
    private static final boolean LOADED = load();

    private NativeSampler() {}

    /** Returns whether the library is loaded, so that the methods below may be called. */
    public static boolean isAvailable() {
        return LOADED;
    }

    /**
     * Sleeps from deadline to deadline and looks at the sockets of the pollTables, until as many ticks have passed as it is told, or one of
     * them is to be heard at once.
     *
     * @param ticks address of a {@code SampleTimer}'s table
     * @param pollTables address of the addresses of {@code SocketPollTable}s
     * @param words address of {@code Watchpoints}
     */
    public static native void await(long ticks, long pollTables, int panelCount, long words, int wordCount);

    /**
     * Opens two timers; {@link #await} then sleeps on them alternately, which uses less CPU than a sleep. Without timers it
     * goes on as before.
     *
     * @param ticks address of a {@code SampleTimer}'s table that has none open
     */
    public static native void openTimers(long ticks);

    /** Closes the timers, if there are any. */
    public static native void closeTimers(long ticks);

    /** Looks at all sockets of a pollTable now, whatever they were before. */
    public static native void look(long pollTable, long nowNs);

    /**
     * Gives the calling thread the greatest weight of a normal thread, and a slice so short; not those that it starts.
     *
     * @return 0, or the error number of the kernel, which grants slices since Linux 6.12
     */
    static native int shortenSlice(long sliceNs);

    @SuppressWarnings("restricted")
    private static boolean load() {
        try {
            return LIBRARY.use("naklab-ticks-", ".so", file -> {
                        System.load(file.toString());
                        return true;
                    })
                    .orElse(false);
        } catch (IOException | UnsatisfiedLinkError e) {
            // No room to unpack it, built elsewhere, or a temporary directory that nothing may be run from: as if there
            // were none.
            return false;
        }
    }
}
