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
     * Halts a child of this process, and returns when all of its threads stand. The signal alone makes none stand: one thread must run to take it, and tell the others.
     *
     * @throws LastErrorException it is gone, or no child
     */
    public static void stopAndAwait(long child) {
        stop(child);
        while (Libc.waitid(Libc.P_PID, Math.toIntExact(child), 0, Libc.WSTOPPED) != 0) {
            if (Native.getLastError() != Libc.EINTR) {
                throw new LastErrorException(Native.getLastError());
            }
        }
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
