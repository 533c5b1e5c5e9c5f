package org.naklab.lab.terminal;

/** The exit codes of all commands. */
public final class ExitCode {
    public static final int OK = 0;
    /** The observations contradict the prediction. */
    public static final int FAIL = 1;
    /** No verdict could be had: the machine or the network does not allow it. */
    public static final int UNKNOWN = 2;
    /** A watch has found stalls or losses. */
    public static final int FOUND = 3;
    /** EX_USAGE of sysexits(3). */
    public static final int USAGE = 64;
    /** EX_NOINPUT of sysexits(3): what was named is not there, or cannot be used. */
    public static final int NO_INPUT = 66;
    /** EX_UNAVAILABLE of sysexits(3): another run or program has the port; nothing was started. */
    public static final int UNAVAILABLE = 69;
    /** EX_SOFTWARE of sysexits(3): the program itself failed. */
    static final int INTERNAL = 70;

    private ExitCode() {}

    /**
     * Gives the code that the process ends with. A JVM that cannot start ends with 1 as well; the launcher therefore names another code
     * for the verdict FAIL in {@code naklab.failVerdict}, and turns that one into 1 for its own caller.
     */
    public static int ofProcess(int code) {
        return code == FAIL ? Integer.getInteger("naklab.failVerdict", FAIL) : code;
    }
}
