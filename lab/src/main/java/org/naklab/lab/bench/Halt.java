package org.naklab.lab.bench;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;

/** Halts another process and lets it go on, by signal: without a process for it, which would cost what is to be measured. */
final class Halt {
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;

    static {
        Native.register(Halt.class, "c");
    }

    private Halt() {}

    static void stop(long pid) {
        kill((int) pid, SIGSTOP);
    }

    static void goOn(long pid) {
        kill((int) pid, SIGCONT);
    }

    private static native int kill(int pid, int signal) throws LastErrorException;
}
