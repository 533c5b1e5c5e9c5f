package org.naklab.lab.watch.command.live;

import org.naklab.lab.instruments.linux.Libc;
import org.naklab.lab.instruments.linux.NativeMemory;

/** The size of a terminal, in characters. */
record TerminalSize(int columns, int rows) {
    /** Stands for the size of a terminal that does not tell it. */
    private static final TerminalSize USUAL = new TerminalSize(80, 24);

    private static final int STANDARD_OUTPUT = 1;
    private static final long TIOCGWINSZ = 0x5413;
    /** Rows, columns, and the two lengths in pixels: two bytes each. */
    private static final int WINSIZE_BYTES = 8;

    private static final int COLUMNS_OFFSET = 2;

    /** Returns the present size of the terminal that is standard output. */
    static TerminalSize now() {
        NativeMemory winsize = new NativeMemory(WINSIZE_BYTES);
        boolean isKnown = Libc.ioctl(STANDARD_OUTPUT, TIOCGWINSZ, winsize.address()) == 0;
        int rows = winsize.view().getShort(0) & 0xffff;
        int columns = winsize.view().getShort(COLUMNS_OFFSET) & 0xffff;
        return isKnown && rows > 0 && columns > 0 ? new TerminalSize(columns, rows) : USUAL;
    }
}
