package org.naklab.lab.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output whose reader may go away, as {@code head} does: that is no error, but there is no use in going on. A {@link
 * PrintStream} hides the failure; here it ends the writing.
 */
public final class BrokenPipeStream extends OutputStream {
    private final PrintStream out;
    private boolean broken;

    public BrokenPipeStream(PrintStream out) {
        this.out = out;
    }

    public boolean isBroken() {
        return broken;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        check();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        check();
    }

    @Override
    public void flush() throws IOException {
        check();
    }

    private void check() throws IOException {
        broken |= out.checkError();
        if (broken) {
            throw new IOException("standard output is closed");
        }
    }
}
