package org.naklab.lab.cli;

/** What the shell is told beside the verdicts' own codes. */
final class ExitCode {
    static final int OK = 0;
    /** No verdict could be had: the input cannot be read, a port is taken, the machine cannot do it. */
    static final int UNKNOWN = 2;
    /** EX_USAGE of sysexits(3). */
    static final int USAGE = 64;
    /** EX_SOFTWARE: a mistake in the program itself. */
    static final int INTERNAL = 70;

    private ExitCode() {}
}
