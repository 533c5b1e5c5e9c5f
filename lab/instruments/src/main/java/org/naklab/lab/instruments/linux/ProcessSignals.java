package org.naklab.lab.instruments.linux;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;

/** Halts another process and lets it go on, by signal: without a process for it, which would cost what is to be measured. */
public final class ProcessSignals {
    private ProcessSignals() {}

    /**
     * Halts it.
     *
     * @throws LastErrorException it is gone, or another user's
     */
    public static void stop(long pid) {
        signal(pid, Libc.SIGSTOP);
    }

    /**
     * Lets it go on.
     *
     * @throws LastErrorException it is gone, or another user's
     */
    public static void resume(long pid) {
        signal(pid, Libc.SIGCONT);
    }

    private static void signal(long pid, int signal) {
        if (Libc.kill(Math.toIntExact(pid), signal) != 0) {
            throw new LastErrorException(Native.getLastError());
        }
    }
}
