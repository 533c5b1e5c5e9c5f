package org.naklab.faults.host;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/** The C library's calls that faults need and Java does not offer. 64-bit Linux. */
public final class Libc {
    public static final int SIGKILL = 9;
    public static final int SIGCONT = 18;

    private static final int CLONE_NEWNET = 0x40000000;

    static {
        // The C library that the process has already: to look one up by its name could load another copy of it.
        Native.register(Libc.class, NativeLibrary.getProcess());
    }

    private Libc() {}

    static native int open(String path, int flags) throws LastErrorException;

    static native long pread(int fd, Pointer buffer, long count, long offset) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;

    private static native int unshare(int flags) throws LastErrorException;

    private static native int kill(int pid, int signal) throws LastErrorException;

    /**
     * Gives the thread that calls it a network namespace of its own, which ends with the thread and the programs that it started.
     *
     * @throws FaultException if the privilege is missing
     */
    static void leaveNetwork() {
        try {
            unshare(CLONE_NEWNET);
        } catch (LastErrorException e) {
            throw new FaultException(
                    "cannot make a network namespace: " + e.getMessage() + "; run as root, with sudo", e);
        }
    }

    /** Gives memory that was freed back to the kernel, which glibc otherwise keeps for later; other C libraries have no such call. */
    static void trimHeap() {
        Function trim = mallocTrim();
        if (trim != null) {
            trim.invokeInt(new Object[] {0L});
        }
    }

    private static @Nullable Function mallocTrim() {
        try {
            return NativeLibrary.getProcess().getFunction("malloc_trim");
        } catch (UnsatisfiedLinkError e) {
            // Not glibc.
            return null;
        }
    }

    /**
     * Sends a signal.
     *
     * @throws FaultException if the process has ended or belongs to another user
     */
    public static void signal(TargetProcess target, int signal) {
        try {
            kill(Math.toIntExact(target.pid()), signal);
        } catch (LastErrorException e) {
            throw new FaultException(
                    "cannot send signal " + signal + " to process " + target.pid() + ": " + e.getMessage(), e);
        }
    }
}
